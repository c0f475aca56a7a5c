// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.tcp.TcpPendingLink;
import io.rdmachannel.mempool.PoolStats;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;

/**
 * A channel over TCP whose data connection ends at a fuzzer. Nothing was agreed on a control connection, and the one it
 * has says nothing. All channels share one event loop, which belongs to the thread that made the first one.
 */
final class FuzzedChannel {
    /** How many receives the peer has. */
    static final int PEER_DEPTH = 16;

    /** The longest message that is sent at once. */
    static final int EAGER_BYTES = 64;

    private static final int PEER_MESSAGE_BYTES = 1 << 15;
    private static final ChannelConfig CONFIG = ChannelConfig.builder()
            .transport(Transport.TCP)
            .receiveBytes(128)
            .receiveDepth(8)
            .sendDepth(8)
            .maxMessageBytes(PEER_MESSAGE_BYTES)
            .socketBufferBytes(1 << 16)
            .lingerTimeout(Duration.ofMillis(5))
            .build();

    private FuzzedChannel() {}

    /** What all channels have in common. */
    static final class Place {
        private final EventLoop loop = EventLoop.create(PollerConfig.of("fuzz").withPool(1 << 20, 1 << 20));
        private final ServerSocketChannel server = ServerSocketChannel.open();
        private final InetSocketAddress address;

        Place() throws IOException {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            address = (InetSocketAddress) server.getLocalAddress();
        }

        EventLoop loop() {
            return loop;
        }

        void close() throws IOException {
            server.close();
            loop.close();
        }

        PoolStats stats() {
            return loop.sources().tcp().pool().stats();
        }

        /** The peer's end of a connection whose other end {@link #accept} gives. */
        SocketChannel connect() throws IOException {
            SocketChannel peer = SocketChannel.open(address);
            peer.configureBlocking(false);
            peer.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return abortive(peer);
        }

        SocketChannel accept() throws IOException {
            return abortive(server.accept());
        }

        /** Makes a channel that has begun. */
        ChannelCore open(SocketChannel connection, ChannelHandler handler) {
            Control silent = silent(address);
            HandshakeParts parts =
                    new HandshakeParts(loop, CONFIG, handler, silent, Deadline.after(Duration.ofSeconds(10)));
            Conversation values = Conversation.between(CONFIG, Optional.empty(), peer());
            TcpPendingLink link = loop.sources().tcp().prepare(CONFIG);
            Receives receives = parts.receives(loop.sources().tcp(), values);
            receives.supplyAll(link);
            link.attach(connection);
            Agreement agreement = new Agreement(values, Transport.TCP, Optional.empty());
            ChannelCore channel = new ChannelCore(parts.setup(agreement, Optional.empty(), link, receives));
            channel.begin();
            return channel;
        }

        /** Thousands of them a second would use up the ports if each had to wait after its end. */
        private static SocketChannel abortive(SocketChannel socket) throws IOException {
            return socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
    }

    private static Fields peer() {
        return new Fields()
                .put(Tag.RECEIVE_BYTES, 4, EAGER_BYTES)
                .put(Tag.RECEIVE_DEPTH, 4, PEER_DEPTH)
                .put(Tag.MAX_MESSAGE_BYTES, 8, PEER_MESSAGE_BYTES);
    }

    /** A control connection of which nothing comes. */
    private static Control silent(InetSocketAddress peer) {
        return (Control) Proxy.newProxyInstance(
                Control.class.getClassLoader(),
                new Class<?>[] {Control.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "peer" -> peer;
                    case "session" -> "fuzzed";
                    default -> null;
                });
    }
}

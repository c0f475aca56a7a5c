// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.core.Link;
import io.rdmachannel.channel.core.LinkEvents;
import io.rdmachannel.channel.core.PendingLink;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.mempool.Lease;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/** A link over TCP that is being made: needs the second connection of its session, and nothing else. */
public final class TcpPendingLink implements PendingLink {
    private final TcpSource source;
    private final ReceiveRing receives;
    private final int capacity;
    private final int bufferBytes;
    private SocketChannel socket;

    TcpPendingLink(TcpSource source, ChannelConfig config, int capacity) {
        this.source = source;
        this.capacity = capacity;
        this.receives = source.commonRing() == null ? new ReceiveRing(config.receiveDepth()) : source.commonRing();
        this.bufferBytes = config.socketBufferBytes();
    }

    /**
     * Gives the connection, which belongs to the link from now on.
     *
     * @param connection a connected socket, of which nothing has been read beyond its first frame
     * @throws ChannelException if it is broken
     */
    public void attach(SocketChannel connection) {
        socket = connection;
        try {
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connection.setOption(StandardSocketOptions.SO_SNDBUF, bufferBytes);
            connection.setOption(StandardSocketOptions.SO_RCVBUF, bufferBytes);
            connection.configureBlocking(false);
        } catch (IOException broken) {
            throw new ChannelException(Reason.PEER_GONE, "the data connection broke: " + broken.getMessage(), broken);
        }
    }

    @Override
    public void describe(Fields message) {
        // The listener's address and the session say all.
    }

    @Override
    public void supply(Lease receive) {
        receives.add(receive);
    }

    @Override
    public void connect(Fields peer) {
        throw new UnsupportedOperationException("the tcp transport gets its connection by attach");
    }

    @Override
    public void handOver(Thread owner) {
        // Nothing here belongs to a thread.
    }

    @Override
    public Link begin(LinkEvents events) {
        TcpLink link = new TcpLink(source, socket, receives, capacity, events);
        source.add(link);
        return link;
    }

    @Override
    public void abandon() {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException unlikely) {
                source.report(unlikely);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.roundtrip;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.Transport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/** A channel over the tcp transport. */
final class ChannelEcho {
    private ChannelEcho() {}

    /** Echoes. */
    static final class Server implements EchoServer {
        private Poller poller;
        private RdmaListener listener;

        @Override
        public int bind() {
            // The thread that binds serves.
            poller = Poller.create(PollerConfig.of("server").withMode(CompletionMode.BUSY_POLL));
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            ChannelHandler echo = (channel, buffer, offset, length) -> channel.send(buffer, offset, length);
            listener = RdmaListener.bind(any, config(poller), () -> echo);
            return listener.address().getPort();
        }

        @Override
        public void serve() {
            CompletableFuture<RdmaChannel> accepted = listener.acceptAsync().toCompletableFuture();
            while (!accepted.isDone() || !accepted.join().state().isOver()) {
                poller.poll();
            }
            listener.close();
            poller.close();
        }
    }

    /** Asks. */
    static final class Client implements EchoClient {
        private long answers;

        @Override
        public Histogram run(int port, RoundTripPlan plan) throws InterruptedException {
            Histogram histogram = new Histogram(3);
            InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            MemorySegment message = Arena.ofAuto().allocate(plan.bytes());
            try (Poller poller = Poller.create(PollerConfig.of("client").withMode(CompletionMode.BUSY_POLL));
                    RdmaChannel channel =
                            RdmaChannel.connect(server, config(poller), (of, buffer, offset, length) -> answers++)) {
                for (int i = 0; i < plan.all(); i++) {
                    long begin = System.nanoTime();
                    while (!channel.send(message, 0, plan.bytes()).isAccepted()) {
                        poller.poll();
                    }
                    while (answers == i) {
                        poller.poll();
                    }
                    if (i >= plan.warmUp()) {
                        histogram.recordValue(System.nanoTime() - begin);
                    }
                }
            }
            return histogram;
        }
    }

    private static ChannelConfig config(Poller poller) {
        return ChannelConfig.builder().transport(Transport.TCP).poller(poller).build();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Pollers that are closed while channels of theirs are being connected, over any transport. */
@Timeout(value = 120, threadMode = ThreadMode.SAME_THREAD)
abstract class PollerCloseCases {
    private static final int TIMES = 60;
    private static final int MOMENT_NANOS = 50_000;

    abstract Transport transport();

    /** A handshake holds receive buffers and a queue pair, which would keep the memory from being closed. */
    @Test
    void shouldCloseBothSidesAtAnyMomentOfAHandshake() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            Poller accepting = poller("accepting");
            Poller connecting = poller("connecting");
            RdmaListener listener = RdmaListener.bind(anyPort(), config(accepting), Recorder::new);
            var channel = RdmaChannel.connectAsync(listener.address(), config(connecting), new Recorder())
                    .toCompletableFuture();
            LockSupport.parkNanos((long) i * MOMENT_NANOS);
            if (i % 2 == 0) {
                listener.close();
                accepting.close();
                connecting.close();
            } else {
                connecting.close();
                accepting.close();
                listener.close();
            }
            requireOver(channel);
        }
    }

    @Test
    void shouldTellWhoeverConnectsThatThePollerWasClosed() throws IOException {
        Poller connecting = poller("connecting");
        try (ServerSocket mute = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) mute.getLocalSocketAddress();
            var channel = RdmaChannel.connectAsync(address, config(connecting), new Recorder())
                    .toCompletableFuture();
            try (Socket peer = mute.accept()) {
                assertThat(peer.getInputStream().read()).isPositive();
                connecting.close();
            }
            assertThat(channel)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withCauseInstanceOf(ChannelException.class)
                    .withMessageContaining("poller connecting was closed while a channel of it was being connected");
        }
    }

    private static void requireOver(CompletableFuture<RdmaChannel> connecting) throws Exception {
        try {
            assertThat(connecting.get(20, TimeUnit.SECONDS).state().isOver()).isTrue();
        } catch (ExecutionException failed) {
            assertThat(failed.getCause()).isInstanceOf(ChannelException.class);
        }
    }

    private static Poller poller(String name) {
        return Poller.start(PollerConfig.of(name).withPool(4 << 20, 64 << 20));
    }

    private ChannelConfig config(Poller poller) {
        return ChannelConfig.builder().transport(transport()).poller(poller).build();
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}

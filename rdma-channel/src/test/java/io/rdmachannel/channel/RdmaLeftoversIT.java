// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.rdma.LabDevice;
import io.rdmachannel.mempool.PoolStats;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * What connections and recoveries leave behind on a real device: as many objects in the kernel ({@code rdma resource
 * show}), descriptors, threads, heap and buffers as before, while the pollers live on. More of them by the properties
 * {@code channel.lab.cycles} and {@code channel.lab.recoveries}.
 */
@Tag("rdma")
@Timeout(value = 1800, threadMode = ThreadMode.SAME_THREAD)
class RdmaLeftoversIT {
    private static final int CYCLES = Integer.getInteger("channel.lab.cycles", 20);
    private static final int RECOVERIES = Integer.getInteger("channel.lab.recoveries", 6);
    private static final int WARM_UP = 3;
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private Poller left;
    private Poller right;
    private RdmaListener listener;
    private final Recorder atLeft = new Recorder();
    private final Recorder atRight = new Recorder();

    @BeforeEach
    void listen() {
        LabDevice.require();
        left = Poller.start(PollerConfig.of("left").withMode(CompletionMode.ADAPTIVE));
        right = Poller.start(PollerConfig.of("right").withMode(CompletionMode.ADAPTIVE));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = RdmaListener.bind(any, config(right), () -> atRight);
    }

    @AfterEach
    void close() {
        if (listener != null) {
            listener.close();
            left.close();
            right.close();
        }
    }

    @Test
    void shouldHoldNothingMoreAfterManyConnections() throws Exception {
        cycles(WARM_UP);
        Usage usage = Usage.now();
        String kernel = LabDevice.resources();
        long buffers = buffersOut();

        cycles(CYCLES);

        requireBackTo(usage, kernel, buffers);
    }

    @Test
    void shouldHoldNothingMoreAfterManyRecoveries() throws Exception {
        try (Proxy proxy = new Proxy(listener.address())) {
            RdmaChannel channel = RdmaChannel.connect(proxy.address(), config(left), atLeft);
            recoveries(channel, proxy, WARM_UP);
            Usage usage = Usage.now();
            String kernel = LabDevice.resources();
            long buffers = buffersOut();

            recoveries(channel, proxy, RECOVERIES);

            assertThat(channel.transport()).isEqualTo(Transport.RDMA);
            requireBackTo(usage, kernel, buffers);
            channel.close();
        }
    }

    private void cycles(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            RdmaChannel channel = RdmaChannel.connect(listener.address(), config(left), atLeft);
            RdmaChannel peer = listener.accept(LIMIT);
            assertThat(channel.transport()).isEqualTo(Transport.RDMA);
            channel.sendAsync(Contents.memory(new byte[8]))
                    .toCompletableFuture()
                    .get();
            channel.close();
            peer.close();
            assertThat(peer.failure()).isEmpty();
        }
    }

    private void recoveries(RdmaChannel channel, Proxy proxy, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            long before = recoveries();
            proxy.cut();
            await("both have recovered", () -> recoveries() >= before + 2);
            channel.sendAsync(Contents.memory(new byte[8]))
                    .toCompletableFuture()
                    .get();
        }
    }

    private long recoveries() {
        return left.counters().value(ChannelCounter.ENDED_RECOVERIES)
                + right.counters().value(ChannelCounter.ENDED_RECOVERIES);
    }

    private void requireBackTo(Usage usage, String kernel, long buffers) throws Exception {
        LabDevice.requireResources(kernel);
        Usage.now().requireNotMuchMoreThan(usage);
        await("all buffers are back", () -> buffersOut() <= buffers);
    }

    private long buffersOut() {
        return buffersOut(left) + buffersOut(right);
    }

    private static long buffersOut(Poller poller) {
        return poller.pools().values().stream().mapToLong(PoolStats::inUse).sum();
    }

    private static void await(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begin).as("not in time: " + what).isLessThan(LIMIT.toNanos());
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static ChannelConfig config(Poller poller) {
        return ChannelConfig.builder()
                .transport(Transport.RDMA)
                .poller(poller)
                .receiveDepth(16)
                .sendDepth(16)
                .recovery(RecoveryPolicy.BLOCK)
                .connectTimeout(LIMIT)
                .handshakeTimeout(LIMIT)
                .recoveryTimeout(LIMIT)
                .heartbeatInterval(Duration.ofSeconds(1))
                .heartbeatTolerance(Duration.ofSeconds(60))
                .build();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Two channels that are each other's peer, each with a poller of its own, all driven by the test's thread. */
final class ChannelPair implements AutoCloseable {
    /** In the lab the processor is emulated. */
    private static final Duration LIMIT = Duration.ofSeconds(System.getenv("RDMA_LAB") == null ? 20 : 100);

    final Poller leftPoller;
    final Poller rightPoller;
    final RdmaListener listener;
    final RdmaChannel left;
    final RdmaChannel right;

    ChannelPair(Setup setup, ChannelHandler leftHandler, ChannelHandler rightHandler) throws Exception {
        this.leftPoller = Poller.create(setup.poller("left"));
        this.rightPoller = Poller.create(setup.poller("right"));
        InetSocketAddress any = new InetSocketAddress(setup.address(), 0);
        this.listener = RdmaListener.bind(any, setup.right().poller(rightPoller).build(), () -> rightHandler);
        var accepted = listener.acceptAsync().toCompletableFuture();
        var connected = RdmaChannel.connectAsync(
                        listener.address(), setup.left().poller(leftPoller).build(), leftHandler)
                .toCompletableFuture();
        pollUntil("both channels are connected", () -> accepted.isDone() && connected.isDone());
        this.left = connected.get();
        this.right = accepted.get();
    }

    /**
     * How a pair is made.
     *
     * @param address where the listener is bound
     * @param mode of both pollers
     * @param left configuration of the connecting side
     * @param right configuration of the accepting side
     * @param poolMaxBytes the most memory of each side
     * @param shared receives that all channels of a side share; null for none
     */
    record Setup(
            InetAddress address,
            CompletionMode mode,
            ChannelConfigBuilder left,
            ChannelConfigBuilder right,
            long poolMaxBytes,
            SharedReceives shared) {
        Setup(InetAddress address, CompletionMode mode, ChannelConfigBuilder left, ChannelConfigBuilder right) {
            this(address, mode, left, right, 512L << 20, null);
        }

        Setup sharing(SharedReceives values) {
            return new Setup(address, mode, left, right, poolMaxBytes, values);
        }

        PollerConfig poller(String name) {
            PollerConfig config = PollerConfig.of(name)
                    .withMode(mode)
                    .withSpinTime(Duration.ofNanos(5_000))
                    .withPool(4L << 20, poolMaxBytes)
                    .withCompletionQueueCapacity(32_000);
            return shared == null ? config : config.withSharedReceives(shared);
        }
    }

    void poll() {
        Duration wait = leftPoller.config().mode() == CompletionMode.BUSY_POLL ? Duration.ZERO : Duration.ofMillis(1);
        if (leftPoller.poll() + rightPoller.poll() == 0 && leftPoller.poll(wait) == 0) {
            rightPoller.poll(wait);
        }
    }

    void pollUntil(String what, BooleanSupplier condition) {
        pollUntil(what, condition, LIMIT);
    }

    void pollUntil(String what, BooleanSupplier condition, Duration limit) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > limit.toNanos()) {
                throw new AssertionError("not in time: " + what + "; left " + left + " " + failure(left) + ", right "
                        + right + " " + failure(right));
            }
            poll();
        }
    }

    /** For when the other poller is closed. */
    void pollLeftUntil(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new AssertionError("not in time: " + what + "; left " + left + " " + failure(left));
            }
            leftPoller.poll(Duration.ofMillis(1));
        }
    }

    /** Both channels ended, and all memory came back: a pool with leases out refuses to close. */
    @Override
    public void close() {
        listener.close();
        leftPoller.close();
        rightPoller.close();
    }

    private static String failure(RdmaChannel channel) {
        return channel == null
                ? ""
                : channel.failure().map(Throwable::getMessage).orElse("");
    }
}

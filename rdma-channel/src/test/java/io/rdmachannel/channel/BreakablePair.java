// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.ChannelException.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** Two ends of a channel in one thread, with a network between them that can be broken, and checked traffic. */
abstract class BreakablePair {
    final long seed = System.nanoTime();
    RecoveringEnd atLeft = new RecoveringEnd(seed);
    RecoveringEnd atRight = new RecoveringEnd(seed + 1);
    private final Set<Poller> closed = new HashSet<>();
    Poller leftPoller;
    Poller rightPoller;
    RdmaListener listener;
    Proxy proxy;
    RdmaChannel left;
    RdmaChannel right;

    abstract Transport transport();

    /** How long anything may take. */
    Duration limit() {
        return Duration.ofSeconds(30);
    }

    ChannelConfigBuilder config() {
        return ChannelConfig.builder()
                .transport(transport())
                .recovery(RecoveryPolicy.BLOCK)
                .recoveryTimeout(Duration.ofSeconds(20))
                .heartbeatInterval(Duration.ofMillis(50))
                .heartbeatTolerance(Duration.ofMillis(1_500))
                .lingerTimeout(Duration.ofSeconds(2));
    }

    PollerConfig pollerConfig(String name) {
        return PollerConfig.of(name).withMode(CompletionMode.BUSY_POLL);
    }

    void open(ChannelConfigBuilder config) throws Exception {
        leftPoller = Poller.create(pollerConfig("left"));
        rightPoller = Poller.create(pollerConfig("right"));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = RdmaListener.bind(any, config.poller(rightPoller).build(), () -> atRight);
        proxy = new Proxy(listener.address());
        var accepted = listener.acceptAsync().toCompletableFuture();
        var connected = RdmaChannel.connectAsync(
                        proxy.address(), config.poller(leftPoller).build(), atLeft)
                .toCompletableFuture();
        pollUntil("connected", () -> accepted.isDone() && connected.isDone());
        left = connected.get();
        right = accepted.get();
        atLeft.begin(left);
        atRight.begin(right);
        pollUntil("both are exposed", () -> atLeft.isReady() && atRight.isReady());
    }

    @AfterEach
    void closeAll() throws Exception {
        if (left != null) {
            close(left);
            close(right);
            pollUntil("closed", () -> left.state().isOver() && right.state().isOver());
            // A channel that has failed is closed by close only.
            poll();
            listener.close();
            proxy.close();
            // Nothing is out any more, or the pools would refuse.
            pollUntil("no handshake goes on", () -> isClosed(leftPoller) && isClosed(rightPoller));
            left = null;
        }
    }

    private void close(RdmaChannel channel) {
        if (!closed.contains(channel.poller())) {
            channel.poller().execute(channel::close);
        }
    }

    /** Closes it, if it can be closed now. */
    boolean isClosed(Poller poller) {
        try {
            poller.close();
            closed.add(poller);
            return true;
        } catch (ChannelException busy) {
            assertThat(busy.reason()).isEqualTo(Reason.BUSY);
            return false;
        }
    }

    void poll() {
        pollOpen(leftPoller);
        pollOpen(rightPoller);
    }

    private void pollOpen(Poller poller) {
        if (!closed.contains(poller)) {
            poller.poll();
        }
    }

    void pollUntil(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > limit().toNanos()) {
                throw new AssertionError("not in time: " + what + " (seed " + seed + "); left " + left + " "
                        + failure(left) + ", right " + right + " " + failure(right));
            }
            poll();
        }
    }

    private static String failure(RdmaChannel channel) {
        return channel == null
                ? ""
                : channel.failure().map(Throwable::getMessage).orElse("");
    }

    void work(int steps) {
        for (int i = 0; i < steps; i++) {
            atLeft.step();
            atRight.step();
            poll();
        }
    }

    void awaitConnected() {
        pollUntil("connected anew", () -> left.state() == ChannelState.CONNECTED && right.state() == left.state());
    }

    void awaitRecoveries(int count) {
        pollUntil("recovered " + count + " times", () -> recoveries(atLeft) >= count && recoveries(atRight) >= count);
        awaitConnected();
    }

    static long recoveries(Recorder recorder) {
        return recorder.states.stream()
                .filter(state -> state == ChannelState.RECOVERING)
                .count();
    }

    /** Everything has arrived, once and in order; the ends check the order. */
    void verify() {
        pollUntil(
                "all has ended",
                () -> atLeft.isIdle()
                        && atRight.isIdle()
                        && atLeft.received == atRight.sent
                        && atRight.received == atLeft.sent);
        assertThat(atLeft.cancelled + atRight.cancelled).isZero();
        assertThat(atLeft.immediatesTold).isEqualTo(atRight.immediatesSent);
        assertThat(atRight.immediatesTold).isEqualTo(atLeft.immediatesSent);
        assertThat(atRight.counter()).isBetween(atLeft.addsDone, atLeft.addsDone + atLeft.addsUnknown);
        assertThat(atLeft.counter()).isBetween(atRight.addsDone, atRight.addsDone + atRight.addsUnknown);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.mempool.PoolStats;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What channels do when the connections between their two ends break, over any transport. */
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
abstract class RecoveryCases {
    private static final Duration LIMIT = Duration.ofSeconds(30);

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

    /** Breaks something between the two ends. */
    void interrupt(int number) {
        proxy.cut();
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

    void open(ChannelConfigBuilder config) throws Exception {
        leftPoller = Poller.create(PollerConfig.of("left").withMode(CompletionMode.BUSY_POLL));
        rightPoller = Poller.create(PollerConfig.of("right").withMode(CompletionMode.BUSY_POLL));
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
            left.poller().execute(left::close);
            right.poller().execute(right::close);
            pollUntil("closed", () -> left.state().isOver() && right.state().isOver());
            // A channel that has failed is closed by close only.
            leftPoller.poll();
            rightPoller.poll();
            listener.close();
            proxy.close();
            // Nothing is out any more, or the pools would refuse.
            pollUntil("no handshake goes on", () -> isClosed(leftPoller) && isClosed(rightPoller));
        }
    }

    private boolean isClosed(Poller poller) {
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
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
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

    @Test
    void shouldLoseNothingAndRepeatNothingWhenAllConnectionsAreCutAgainAndAgain() throws Exception {
        open(config());
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 1; i <= 20; i++) {
            work(random.nextInt(2_000));
            interrupt(i);
            work(random.nextInt(200));
            awaitRecoveries(i);
        }
        work(1_000);
        verify();
        assertThat(atLeft.sent).isPositive();
        assertThat(atLeft.addsDone).isPositive();
    }

    @Test
    @Timeout(value = 180, threadMode = ThreadMode.SAME_THREAD)
    void shouldHoldNothingMoreAfterTwoHundredRecoveries() throws Exception {
        open(config());
        for (int i = 1; i <= 20; i++) {
            interrupt(i);
            awaitRecoveries(i);
        }
        Usage before = Usage.now();
        long used = leasesOut();
        for (int i = 21; i <= 220; i++) {
            work(20);
            interrupt(i);
            awaitRecoveries(i);
        }
        verify();
        atLeft.outcomes.clear();
        atRight.outcomes.clear();
        Usage.now().requireNotMuchMoreThan(before);
        pollUntil("all buffers are back", () -> leasesOut() <= used);
    }

    private long leasesOut() {
        return leftPoller.pools().values().stream().mapToLong(PoolStats::inUse).sum()
                + rightPoller.pools().values().stream()
                        .mapToLong(PoolStats::inUse)
                        .sum();
    }

    @Test
    void shouldAnswerRecoveringMeanwhileAndSendWhenItIsOver() throws Exception {
        open(config());
        proxy.cutForGood();
        pollUntil("recovering", () -> left.state() == ChannelState.RECOVERING);
        MemorySegment message = Arena.ofAuto().allocate(16);
        assertThat(left.send(message, 0, 16)).isEqualTo(Submission.RECOVERING);
        assertThat(left.send(message, 0, 16).isBackPressure()).isTrue();
        var later = left.sendAsync(Contents.memory(numbered())).toCompletableFuture();
        work(100);
        assertThat(later).isNotDone();
        proxy.repair();
        pollUntil("sent at last", later::isDone);
        later.get();
        assertThat(atRight.received).isEqualTo(1);
    }

    private byte[] numbered() {
        MemorySegment message = Arena.ofAuto().allocate(16);
        message.set(ValueLayout.JAVA_LONG, 8, Contents.checksum(message, 16, 0));
        return message.toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void shouldFailWithTheFirstCauseWhenRecoveryTakesTooLong() throws Exception {
        open(config().recoveryTimeout(Duration.ofMillis(600)));
        work(500);
        proxy.cutForGood();
        pollUntil("both failed", () -> left.state() == ChannelState.FAILED && right.state() == ChannelState.FAILED);
        assertThat(left.failure().orElseThrow())
                .hasMessageContaining("recoveryTimeout")
                .hasMessageContaining("It began with");
        assertThat(right.failure().orElseThrow()).hasMessageContaining("has not connected anew");
    }

    @Test
    void shouldFailAtOnceWithoutAPolicy() throws Exception {
        open(config().recovery(RecoveryPolicy.FAIL));
        proxy.cut();
        pollUntil("both failed", () -> left.state() == ChannelState.FAILED && right.state() == ChannelState.FAILED);
        assertThat(recoveries(atLeft)).isZero();
        assertThat(left.failure().orElseThrow().reason()).isIn(Reason.PEER_GONE, Reason.TRANSPORT);
    }

    @Test
    void shouldNoticeByMissingHeartbeatsThatNothingGetsThrough() throws Exception {
        open(config().recovery(RecoveryPolicy.FAIL));
        long begin = System.nanoTime();
        proxy.hold();
        pollUntil("noticed", () -> left.state() == ChannelState.FAILED && right.state() == ChannelState.FAILED);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(1));
        assertThat(left.failure().orElseThrow().reason()).isEqualTo(Reason.PATH_LOST);
        assertThat(left.failure().orElseThrow()).hasMessageContaining("heartbeatTolerance");
    }

    @Test
    void shouldStayConnectedWhenSilenceIsShorterThanTolerated() throws Exception {
        open(config().heartbeatTolerance(Duration.ofSeconds(10)));
        work(200);
        proxy.hold();
        long begin = System.nanoTime();
        pollUntil("some time has passed", () -> System.nanoTime() - begin > 500_000_000L);
        proxy.repair();
        work(500);
        verify();
        assertThat(recoveries(atLeft)).isZero();
    }

    @Test
    void shouldRecoverFromSilence() throws Exception {
        open(config());
        work(500);
        proxy.hold();
        pollUntil("noticed", () -> left.state() == ChannelState.RECOVERING);
        proxy.repair();
        awaitConnected();
        work(500);
        verify();
    }

    @Test
    void shouldTellThatThePeerWasRestarted() throws Exception {
        open(config());
        work(300);
        try (RdmaListener other = RdmaListener.bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                config().poller(rightPoller).build(),
                Recorder::new)) {
            proxy.redirect(other.address());
            proxy.cut();
            pollUntil("noticed", () -> left.state() == ChannelState.FAILED);
            assertThat(left.failure().orElseThrow().reason()).isEqualTo(Reason.PEER_RESTARTED);
            assertThat(left.failure().orElseThrow()).hasMessageContaining("Connect a new channel");
        }
    }

    @Test
    void shouldCloseAtOnceWhileItRecovers() throws Exception {
        open(config());
        work(300);
        proxy.cutForGood();
        pollUntil("recovering", () -> left.state() == ChannelState.RECOVERING);
        left.close();
        assertThat(left.state()).isEqualTo(ChannelState.CLOSED);
        assertThat(atLeft.isIdle()).isTrue();
    }

    /** The other side would wait for recoveryTimeout, which is longer than this test takes. */
    @Test
    void shouldFailTheOtherSideAtOnceWhenAHandlerThrows() throws Exception {
        open(config());
        work(300);
        pollUntil(
                "a message that is not what it says",
                () -> right.send(Arena.ofAuto().allocate(16), 0, 16).isAccepted());
        long begin = System.nanoTime();
        pollUntil("both failed", () -> left.state() == ChannelState.FAILED && right.state() == ChannelState.FAILED);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        assertThat(left.failure().orElseThrow().reason()).isEqualTo(Reason.HANDLER);
        assertThat(right.failure().orElseThrow().reason()).isIn(Reason.PEER_GONE, Reason.PEER_RESTARTED);
    }

    @Test
    void shouldKeepRegionsAndForgetThoseThatWereClosedMeanwhile() throws Exception {
        open(config());
        ExposedRegion kept = right.expose("kept", Arena.ofShared().allocate(64), Set.of(RegionRight.READ));
        ExposedRegion closed = right.expose("closed", Arena.ofShared().allocate(64), Set.of(RegionRight.READ));
        pollUntil("exposed", () -> left.remoteRegion("closed").isPresent());
        RemoteRegion before = left.remoteRegion("kept").orElseThrow();
        RemoteRegion gone = left.remoteRegion("closed").orElseThrow();
        proxy.cutForGood();
        pollUntil("recovering", () -> left.state() == ChannelState.RECOVERING && right.state() == left.state());
        closed.close();
        proxy.repair();
        awaitConnected();
        assertThat(left.remoteRegion("kept")).containsSame(before);
        assertThat(before.isRevoked()).isFalse();
        assertThat(left.remoteRegion("closed")).isEmpty();
        assertThat(gone.isRevoked()).isTrue();
        assertThat(atLeft.revoked).containsExactly(gone);
        atLeft.exposed.clear();
        kept.close();
        pollUntil("revoked", before::isRevoked);
    }

    @Test
    void shouldRecoverWithASharedSecretToo() throws Exception {
        open(config().sharedSecret(new byte[32]));
        work(300);
        proxy.cut();
        awaitRecoveries(1);
        work(300);
        verify();
        assertThat(left.counters().value(ChannelCounter.ENDED_RECOVERIES)).isEqualTo(1);
        assertThat(left.counters().value(ChannelCounter.BEGUN_RECOVERIES)).isEqualTo(1);
        assertThat(left.counters().value(ChannelCounter.FAILED_RECOVERIES)).isZero();
        // The sender counts when it has sent, which may be after the other one has heard it.
        pollUntil(
                "a heartbeat",
                () -> right.counters().value(ChannelCounter.RECEIVED_HEARTBEATS) > 0
                        && left.counters().value(ChannelCounter.SENT_HEARTBEATS) > 0);
    }

    @Test
    void shouldCloseInGoodOrderAfterARecovery() throws Exception {
        open(config());
        work(300);
        proxy.cut();
        awaitRecoveries(1);
        work(300);
        left.poller().execute(left::close);
        pollUntil("closed", () -> left.state() == ChannelState.CLOSED && right.state() == ChannelState.CLOSED);
        assertThat(atRight.received).isEqualTo(atLeft.sent);
        assertThat(right.failure()).isEmpty();
    }
}

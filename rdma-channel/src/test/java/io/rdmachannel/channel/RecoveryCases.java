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
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What channels do when the connections between their two ends break, over any transport. */
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
abstract class RecoveryCases extends BreakablePair {
    /** Breaks something between the two ends. */
    void interrupt(int number) {
        proxy.cut();
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
    void shouldCloseAtOnceWhileItRecoversWithNothingToDeliver() throws Exception {
        open(config().lingerTimeout(Duration.ofMinutes(5)));
        work(300);
        pollUntil("all is delivered", () -> atLeft.isIdle() && atRight.isIdle());
        proxy.cutForGood();
        pollUntil("recovering", () -> left.state() == ChannelState.RECOVERING);
        left.close();
        assertThat(left.state()).isEqualTo(ChannelState.CLOSED);
    }

    @Test
    void shouldEndWithItsPollerWhileItRecovers() throws Exception {
        open(config());
        stepAndBreak(atLeft, left);
        assertThat(isClosed(leftPoller)).isTrue();
        assertThat(left.state()).isEqualTo(ChannelState.CLOSED);
        assertThat(atLeft.isIdle()).isTrue();
        assertThat(leftPoller.channelCount()).isZero();
    }

    @Test
    void shouldEndLingeringWhenNothingComesOfARecovery() throws Exception {
        open(config());
        stepAndBreak(atLeft, left);
        left.close();
        assertThat(left.state()).isEqualTo(ChannelState.CLOSED);
        assertThat(atLeft.isIdle()).isTrue();
        assertThat(atLeft.cancelled).isPositive();
    }

    @Test
    void shouldDeliverAfterARecoveryWhatTheConnectingSideSentBeforeItWasClosed() throws Exception {
        open(config().lingerTimeout(Duration.ofMinutes(5)));
        closeWhileRecovering(atLeft, left);
    }

    @Test
    void shouldDeliverAfterARecoveryWhatTheAcceptingSideSentBeforeItWasClosed() throws Exception {
        open(config().lingerTimeout(Duration.ofMinutes(5)));
        closeWhileRecovering(atRight, right);
    }

    private void closeWhileRecovering(RecoveringEnd end, RdmaChannel channel) {
        work(300);
        pollUntil("all is delivered", () -> atLeft.isIdle() && atRight.isIdle());
        stepAndBreak(end, channel);
        channel.poller().execute(channel::close);
        pollUntil("lingering", () -> channel.state() == ChannelState.CLOSING);
        proxy.repair();
        pollUntil("both closed", () -> left.state().isOver() && right.state().isOver());
        assertThat(left.failure()).isEmpty();
        assertThat(right.failure()).isEmpty();
        verify();
    }

    /** The other end does not come to anything of it, since it is not polled meanwhile. */
    private void stepAndBreak(RecoveringEnd end, RdmaChannel channel) {
        for (int i = 0; i < 30; i++) {
            end.step();
        }
        proxy.cutForGood();
        long begin = System.nanoTime();
        while (channel.state() != ChannelState.RECOVERING) {
            assertThat(System.nanoTime() - begin).isLessThan(limit().toNanos());
            channel.poller().poll();
        }
        assertThat(end.isIdle()).isFalse();
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

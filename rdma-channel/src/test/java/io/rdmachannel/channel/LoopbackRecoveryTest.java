// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackTest;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Recovery over RDMA, on the loopback verbs library, where queue pairs and ports break when they are told to. */
@LoopbackTest
class LoopbackRecoveryTest extends RecoveryCases {
    @Override
    Transport transport() {
        return Transport.RDMA;
    }

    /** The control connection, or one of the two queue pairs. */
    @Override
    void interrupt(int number) {
        if (number % 3 == 0) {
            proxy.cut();
        } else {
            breakQueuePair(number % 2);
        }
    }

    private static void breakQueuePair(int which) {
        LoopbackFaults.breakQueuePair(LoopbackFaults.queuePairs()[which]);
    }

    private ChannelConfigBuilder degrading() {
        return config().transport(Transport.AUTO)
                .recovery(RecoveryPolicy.DEGRADE)
                .returnInterval(Duration.ofMillis(100));
    }

    private void pollFor(String what, Duration time) {
        long begin = System.nanoTime();
        pollUntil(what, () -> System.nanoTime() - begin > time.toNanos());
    }

    @Test
    void shouldGoOnOverTcpAndReturnToRdma() throws Exception {
        open(degrading());
        assertThat(left.transport()).isEqualTo(Transport.RDMA);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 1; i <= 10; i++) {
            work(random.nextInt(1_000));
            breakQueuePair(i % 2);
            pollUntil(
                    "degraded",
                    () -> atLeft.states.contains(ChannelState.DEGRADED)
                            && atRight.states.contains(ChannelState.DEGRADED));
            work(random.nextInt(500));
            pollUntil(
                    "returned",
                    () -> left.transport() == Transport.RDMA
                            && left.state() == ChannelState.CONNECTED
                            && right.transport() == Transport.RDMA
                            && right.state() == ChannelState.CONNECTED);
            atLeft.states.clear();
            atRight.states.clear();
        }
        work(500);
        verify();
    }

    @Test
    void shouldGoOnOverTcpSoonWhenTheLastStepOfAReturnIsNotAnswered() throws Exception {
        open(degrading().connectTimeout(Duration.ofMinutes(2)).handshakeTimeout(Duration.ofMinutes(2)));
        work(200);
        LoopbackFaults.setPort(0, false);
        breakQueuePair(0);
        pollUntil("degraded", () -> left.state() == ChannelState.DEGRADED && right.state() == left.state());
        proxy.muteAtResume();
        LoopbackFaults.setPort(0, true);
        pollUntil("the last step was asked for", () -> !proxy.isMuting());
        work(200);
        verify();
        pollUntil("returned", () -> left.state() == ChannelState.CONNECTED && right.state() == left.state());
        work(200);
        verify();
    }

    @Test
    void shouldReturnToRdmaWhenSilenceIsToleratedForEver() throws Exception {
        open(degrading().heartbeatTolerance(Duration.ZERO));
        work(200);
        breakQueuePair(0);
        pollUntil(
                "degraded",
                () -> atLeft.states.contains(ChannelState.DEGRADED) && atRight.states.contains(ChannelState.DEGRADED));
        pollUntil("returned", () -> left.state() == ChannelState.CONNECTED && right.state() == left.state());
        assertThat(left.transport()).isEqualTo(Transport.RDMA);
        work(200);
        verify();
    }

    @Test
    void shouldStayOnTcpWhileRdmaCarriesNothing() throws Exception {
        open(degrading());
        work(300);
        LoopbackFaults.setPort(0, false);
        breakQueuePair(0);
        pollUntil("degraded", () -> left.state() == ChannelState.DEGRADED && right.state() == left.state());
        assertThat(left.transport()).isEqualTo(Transport.TCP);
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < 1_000_000_000L) {
            work(10);
            assertThat(left.state()).isEqualTo(ChannelState.DEGRADED);
        }
        LoopbackFaults.setPort(0, true);
        pollUntil("returned", () -> left.state() == ChannelState.CONNECTED && right.state() == left.state());
        work(300);
        verify();
    }

    /** Nobody sends, and no probe is due for half an hour. */
    @Test
    void shouldGoOverToTcpWhenThePortOfAnIdleChannelGoesDown() throws Exception {
        open(degrading().pathTimeout(Duration.ofHours(1)));
        for (int i = 0; i < 3; i++) {
            LoopbackFaults.setPort(0, false);
            pollUntil("degraded", () -> left.state() == ChannelState.DEGRADED && right.state() == left.state());
            work(100);
            LoopbackFaults.setPort(0, true);
            pollUntil("returned", () -> left.state() == ChannelState.CONNECTED && right.state() == left.state());
            work(100);
            verify();
            pollFor("acknowledgements are sent", Duration.ofMillis(200));
        }
    }

    @Test
    void shouldKeepAnIdleChannelThatDoesNotRecoverWhileItsPortIsDownForAMoment() throws Exception {
        open(config().recovery(RecoveryPolicy.FAIL).pathTimeout(Duration.ofHours(1)));
        pollFor("acknowledgements are sent", Duration.ofMillis(200));
        LoopbackFaults.setPort(0, false);
        pollFor("the event has been told", Duration.ofMillis(300));
        LoopbackFaults.setPort(0, true);
        work(100);
        assertThat(left.state()).isEqualTo(ChannelState.CONNECTED);
        verify();
    }

    @Test
    void shouldLoseThePathWhenNothingEndsAndTheDeviceGoesOnTrying() throws Exception {
        open(config().recovery(RecoveryPolicy.FAIL).pathTimeout(Duration.ofMillis(400)));
        int number = LoopbackFaults.queuePairs()[0];
        LoopbackFaults.holdCompletions(number, LoopbackFaults.Work.SENDS);
        pollUntil("noticed", () -> left.state() == ChannelState.FAILED || right.state() == ChannelState.FAILED);
        RdmaChannel noticed = left.failure()
                        .filter(failure -> failure.reason() == Reason.PATH_LOST)
                        .isPresent()
                ? left
                : right;
        assertThat(noticed.failure().orElseThrow().reason()).isEqualTo(Reason.PATH_LOST);
        assertThat(noticed.failure().orElseThrow()).hasMessageContaining("pathTimeout");
    }

    @Test
    void shouldKeepAnIdlePathThatWorks() throws Exception {
        open(config().pathTimeout(Duration.ofMillis(200)));
        pollFor("several probes were due", Duration.ofMillis(1_500));
        assertThat(left.state()).isEqualTo(ChannelState.CONNECTED);
        assertThat(recoveries(atLeft)).isZero();
        work(100);
        verify();
    }
}

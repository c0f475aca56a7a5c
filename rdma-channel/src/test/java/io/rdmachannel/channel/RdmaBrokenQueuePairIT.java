// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.core.ChannelLinks;
import io.rdmachannel.channel.rdma.QueuePairBreaker;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Recovery on a real device after one end's queue pair was forced to ERROR, with traffic both ways. More often by the
 * property {@code channel.lab.breaks}.
 */
@Timeout(value = 900, threadMode = ThreadMode.SAME_THREAD)
class RdmaBrokenQueuePairIT extends LabPair {
    private static final int BREAKS = Integer.getInteger("channel.lab.breaks", 6);

    private final SplittableRandom random = new SplittableRandom(seed);
    private final long[] nanos = new long[BREAKS];

    @Override
    Transport transport() {
        return Transport.RDMA;
    }

    @Test
    void shouldLoseNothingAndRepeatNothingWhenAQueuePairIsForcedToError() throws Exception {
        open(config());
        for (int i = 1; i <= BREAKS; i++) {
            work(random.nextInt(1_000));
            long begin = System.nanoTime();
            forceToError(i);
            awaitRecoveries(i);
            nanos[i - 1] = System.nanoTime() - begin;
        }
        end("until both were connected anew");
    }

    @Test
    void shouldGoOnOverTcpAndReturnWhenAQueuePairIsForcedToError() throws Exception {
        open(config().transport(Transport.AUTO)
                .recovery(RecoveryPolicy.DEGRADE)
                .returnInterval(Duration.ofMillis(100)));
        for (int i = 1; i <= BREAKS; i++) {
            work(random.nextInt(1_000));
            atLeft.states.clear();
            atRight.states.clear();
            long begin = System.nanoTime();
            forceToError(i);
            pollUntil("degraded", () -> wasDegraded(atLeft) && wasDegraded(atRight));
            nanos[i - 1] = System.nanoTime() - begin;
            work(random.nextInt(200));
            pollUntil("returned", () -> isOnRdma(left) && isOnRdma(right));
        }
        end("until both went on over TCP");
    }

    private void forceToError(int number) {
        QueuePairBreaker.moveToError(ChannelLinks.of(number % 2 == 0 ? left : right));
    }

    private void end(String what) {
        Arrays.sort(nanos);
        work(500);
        verify();
        assertThat(atLeft.received).isPositive();
        assertThat(atRight.received).isPositive();
        System.out.printf(
                "queue pair forced to ERROR %d times: %d and %d messages, none lost or twice; %s: %d ms, %d at most%n",
                BREAKS,
                atLeft.received,
                atRight.received,
                what,
                TimeUnit.NANOSECONDS.toMillis(nanos[BREAKS / 2]),
                TimeUnit.NANOSECONDS.toMillis(nanos[BREAKS - 1]));
    }

    private static boolean wasDegraded(RecoveringEnd end) {
        return end.states.contains(ChannelState.DEGRADED);
    }

    private static boolean isOnRdma(RdmaChannel channel) {
        return channel.transport() == Transport.RDMA && channel.state() == ChannelState.CONNECTED;
    }
}

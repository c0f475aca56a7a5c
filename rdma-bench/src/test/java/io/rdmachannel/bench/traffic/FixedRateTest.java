// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The arithmetic of a fixed rate, with a clock that is set by hand. */
class FixedRateTest {
    private static final long MILLI = 1_000_000;

    private final Progress progress = new Progress();
    private final LatencyRecorder recorder = new LatencyRecorder(progress);
    private long now = 5_000;

    /** Takes 10 µs an exchange, but for one that takes 5 ms. */
    private final class Stalling extends LatencyTest {
        private final long slow;
        private long count;

        Stalling(long slow) {
            this.slow = slow;
        }

        @Override
        void exchange() {
            now += count++ == slow ? 5 * MILLI : 10_000;
        }

        @Override
        void idle() {
            now += 100;
        }
    }

    @Test
    void shouldBeginEachOperationAtItsTime() {
        RateSchedule schedule = new RateSchedule(7, 1000);

        assertThat(schedule.intended(0)).isEqualTo(7);
        assertThat(schedule.intended(1)).isEqualTo(7 + MILLI);
        assertThat(schedule.intended(1_000_000)).isEqualTo(7 + 1_000_000 * MILLI);
    }

    @Test
    void shouldNotDriftWhenTheIntervalIsNoWholeNumber() {
        RateSchedule schedule = new RateSchedule(0, 3);

        assertThat(schedule.intended(1)).isEqualTo(333_333_333);
        assertThat(schedule.intended(3_000_000)).isEqualTo(1_000_000L * 1_000_000_000);
    }

    @Test
    void shouldRefuseARateThatIsNone() {
        assertThatThrownBy(() -> new RateSchedule(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RateSchedule(0, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldCountTheWaitBehindASlowOperation() {
        new Stalling(3).run(RunLimit.ofIterations(20), new RateSchedule(now, 1000), () -> now, recorder);

        // 5 ms instead of 10 µs, and the next four, which were due every millisecond, are late by 4, 3, 2 and 1 ms.
        Histogram times = recorder.histogram();
        assertThat(times.getTotalCount()).isEqualTo(20);
        assertThat(times.getCountBetweenValues(900_000, 6 * MILLI)).isEqualTo(5);
        assertThat(times.valuesAreEquivalent(times.getMaxValue(), 5 * MILLI)).isTrue();
        assertThat(times.getValueAtPercentile(50)).isBetween(9_900L, 10_200L);
    }

    @Test
    void shouldNotCountThatWaitWithoutARate() {
        LatencyTest test = new Stalling(3);
        for (int i = 0; i < 20; i++) {
            long before = now;
            test.exchange();
            recorder.record(now - before);
        }

        assertThat(recorder.histogram().getCountBetweenValues(900_000, 6 * MILLI))
                .isEqualTo(1);
    }

    @Test
    void shouldEndWithTheTime() {
        RunLimit limit = RunLimit.ofDuration(Duration.ofMillis(10));

        new Stalling(-1).run(limit, new RateSchedule(now, 1000), () -> now, recorder);

        assertThat(recorder.histogram().getTotalCount()).isEqualTo(10);
        assertThat(progress.done()).isEqualTo(10);
    }

    @Test
    void shouldEndAClosedLoopByCountAndByTime() {
        new Stalling(-1).run(RunLimit.ofIterations(7), recorder);
        assertThat(progress.done()).isEqualTo(7);

        recorder.reset();
        new Stalling(-1).run(RunLimit.ofDuration(Duration.ofMillis(2)), recorder);
        assertThat(progress.done()).isPositive();
    }
}

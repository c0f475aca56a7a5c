// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import java.util.function.LongSupplier;

/**
 * Measures how long one exchange takes, again and again, one at a time. There is one class for each kind of exchange;
 * the loops are here, and the call from them to it costs at most a jump through a table.
 */
abstract class LatencyTest {
    /** One operation, until it has ended. */
    abstract void exchange();

    /** Lets something else happen while the next exchange is not due yet. */
    abstract void idle();

    /**
     * One exchange after the other, as perftest does it: each takes from the end of the one before to its own.
     *
     * @param limit when to end
     * @param recorder takes the times
     */
    final void run(RunLimit limit, LatencyRecorder recorder) {
        long begin = System.nanoTime();
        long before = begin;
        for (long i = 0; i < limit.iterations() && before - begin < limit.nanos(); i++) {
            exchange();
            long now = System.nanoTime();
            recorder.record(now - before);
            before = now;
        }
    }

    /**
     * Exchanges at a fixed rate. Each counts from when it was to begin: one that cannot begin in time, since an earlier
     * one took too long, has waited, and that is part of its time.
     *
     * @param limit when to end
     * @param schedule when each is to begin, by the same clock
     * @param clock nanoseconds
     * @param recorder takes the times
     */
    final void run(RunLimit limit, RateSchedule schedule, LongSupplier clock, LatencyRecorder recorder) {
        for (long i = 0; i < limit.iterations(); i++) {
            long intended = schedule.intended(i);
            if (intended - schedule.begin() >= limit.nanos()) {
                return;
            }
            while (clock.getAsLong() - intended < 0) {
                idle();
            }
            exchange();
            recorder.record(clock.getAsLong() - intended);
        }
    }
}

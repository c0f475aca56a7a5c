// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.support;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Times that something took, in a histogram of three significant digits, so that no value is lost and recording
 * allocates nothing. One thread.
 */
public final class Latencies {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final double NANOS_PER_MICRO = 1000.0;

    private final Histogram nanos = new Histogram(LONGEST_NANOS, 3);

    /**
     * Records one.
     *
     * @param elapsedNanos how long it took
     */
    public void record(long elapsedNanos) {
        nanos.recordValue(Math.clamp(elapsedNanos, 0, LONGEST_NANOS));
    }

    /**
     * Adds all of another histogram.
     *
     * @param other the other one
     */
    public void add(Latencies other) {
        nanos.add(other.nanos);
    }

    /** Forgets all, as after a warm-up. */
    public void reset() {
        nanos.reset();
    }

    /**
     * Counts.
     *
     * @return how many were recorded
     */
    public long count() {
        return nanos.getTotalCount();
    }

    /**
     * Gives a percentile.
     *
     * @param percentile 0 to 100
     * @return microseconds that so many per cent did not exceed
     */
    public double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    /**
     * Describes the distribution.
     *
     * @return a line for people
     */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "median %.1f us, p99 %.1f us, p99.9 %.1f us, max %.1f us",
                micros(50),
                micros(99),
                micros(99.9),
                micros(100));
    }
}

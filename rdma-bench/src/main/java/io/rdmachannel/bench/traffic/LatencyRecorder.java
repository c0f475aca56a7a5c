// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Takes times down without making objects. Belongs to one thread.
 *
 * <p>Three digits are kept of each; what is above a minute counts as a minute.
 */
final class LatencyRecorder {
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;

    private final Histogram histogram = new Histogram(MAX_NANOS, DIGITS);
    private final Progress progress;
    private long count;

    LatencyRecorder(Progress progress) {
        this.progress = progress;
    }

    void record(long nanos) {
        histogram.recordValue(Math.min(Math.max(nanos, 0), MAX_NANOS));
        progress.set(++count);
    }

    void reset() {
        histogram.reset();
        count = 0;
        progress.set(0);
    }

    Histogram histogram() {
        return histogram;
    }
}

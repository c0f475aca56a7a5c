// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.io.PrintStream;
import java.util.Locale;

/**
 * What a run has shown.
 *
 * @param options what was run
 * @param nanos how long all rounds took
 * @param latencies the round trips after the warm-up
 * @param lastUnacknowledged whether the acknowledgement of the very last message never came
 */
record Report(Options options, long nanos, Latencies latencies, boolean lastUnacknowledged) {
    private static final double MEDIAN = 0.5;
    private static final double P99 = 0.99;

    /** Prints the two lines that C prints, and what this program knows beyond. */
    void print(PrintStream out) {
        double micros = nanos / 1000.0;
        long bytes = 2L * options.size() * options.iterations();
        line(out, "%d bytes in %.2f seconds = %.2f Mbit/sec", bytes, micros / 1e6, bytes * 8 / micros);
        int iterations = options.iterations();
        line(out, "%d iters in %.2f seconds = %.2f usec/iter", iterations, micros / 1e6, micros / iterations);
        if (latencies.count() > 0) {
            double[] values = latencies.halfRoundTripMicros(MEDIAN, P99);
            double average = latencies.averageHalfRoundTripMicros();
            line(
                    out,
                    "half round trip: median %.2f usec, p99 %.2f usec, average %.2f usec",
                    values[0],
                    values[1],
                    average);
        }
        if (options.check()) {
            line(out, "content ok: %d messages of %d bytes", iterations, options.size());
        }
    }

    private static void line(PrintStream out, String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}

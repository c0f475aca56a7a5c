// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

import io.rdmachannel.channel.Submission;
import io.rdmachannel.examples.support.Latencies;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;

/**
 * What clients have seen.
 *
 * @param acknowledged orders that were taken
 * @param rejected orders that were rejected, and had to be
 * @param wrong answers that were not the expected ones
 * @param nanos how long it took
 * @param retries how often each answer of back-pressure came, by the ordinal of the submission
 * @param latencies from each order's submission to its answer, the time in the window included
 * @param transport how the bytes travelled, and why so
 */
record OrderReport(
        long acknowledged,
        long rejected,
        long wrong,
        long nanos,
        long[] retries,
        Latencies latencies,
        String transport) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Sums what clients saw that ran beside each other. */
    OrderReport and(OrderReport other) {
        long[] sums = Arrays.copyOf(retries, retries.length);
        Arrays.setAll(sums, i -> retries[i] + other.retries[i]);
        Latencies both = new Latencies();
        both.add(latencies);
        both.add(other.latencies);
        return new OrderReport(
                acknowledged + other.acknowledged,
                rejected + other.rejected,
                wrong + other.wrong,
                Math.max(nanos, other.nanos),
                sums,
                both,
                transport);
    }

    long retriesAfter(Submission submission) {
        return retries[submission.ordinal()];
    }

    void print(PrintStream out) {
        double seconds = nanos / NANOS_PER_SECOND;
        long orders = acknowledged + rejected;
        out.println("transport: " + transport);
        out.println(String.format(
                Locale.ROOT,
                "orders %d acknowledged, %d rejected, in %.2f s = %.0f/s",
                acknowledged,
                rejected,
                seconds,
                orders / seconds));
        out.println("order to answer: " + latencies.summary());
        out.println("tried again after: no credit %d, queue full %d, pool exhausted %d"
                .formatted(
                        retriesAfter(Submission.NO_CREDIT),
                        retriesAfter(Submission.QUEUE_FULL),
                        retriesAfter(Submission.POOL_EXHAUSTED)));
    }
}

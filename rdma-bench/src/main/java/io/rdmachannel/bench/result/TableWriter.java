// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import java.util.List;
import java.util.Locale;

/** Results as a table for people, with perftest's columns. */
public final class TableWriter {
    private static final String RULE = "-".repeat(100);

    private final List<Double> percentiles;

    /**
     * Makes a writer.
     *
     * @param percentiles which have columns
     */
    public TableWriter(List<Double> percentiles) {
        this.percentiles = List.copyOf(percentiles);
    }

    /**
     * Writes.
     *
     * @param results of one test, at least one
     * @return the table
     */
    public String write(List<TestResult> results) {
        TestResult first = results.getFirst();
        StringBuilder text = new StringBuilder();
        text.append(title(first)).append('\n').append(RULE).append('\n');
        text.append(first.latency() != null ? latencyHeader() : bandwidthHeader())
                .append('\n');
        for (TestResult result : results) {
            text.append(result.latency() != null ? latencyLine(result) : bandwidthLine(result))
                    .append('\n');
        }
        return text.append(RULE).append('\n').toString();
    }

    /** Writes 99.0 as 99, and 99.9 as it is. */
    static String percent(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    private static String title(TestResult result) {
        StringBuilder text = new StringBuilder(result.test().label())
                .append(" over ")
                .append(result.transport())
                .append(result.device() == null ? "" : " (" + result.device() + ")")
                .append(", ")
                .append(result.mode())
                .append(", ");
        if (result.latency() != null) {
            text.append("latency is ").append(result.latency().basis().meaning());
        } else {
            text.append("up to ").append(result.txDepth()).append(" outstanding, 1 MB is 1048576 bytes");
        }
        if (result.ratePerSecond() != null) {
            text.append(", ").append(percent(result.ratePerSecond())).append(" a second");
        }
        if (result.fallbackReason() != null) {
            text.append("\nnot over RDMA: ").append(result.fallbackReason());
        }
        return text.toString();
    }

    private String latencyHeader() {
        StringBuilder text = new StringBuilder(format(
                "%9s %11s %12s %12s %15s %12s %13s",
                "#bytes",
                "#iterations",
                "t_min[usec]",
                "t_max[usec]",
                "t_typical[usec]",
                "t_avg[usec]",
                "t_stdev[usec]"));
        percentiles.forEach(percent -> text.append(format(" %14s", percent(percent) + "%[usec]")));
        return text.toString();
    }

    private String latencyLine(TestResult result) {
        Latency latency = result.latency();
        StringBuilder text = new StringBuilder(format(
                "%9d %11d %12.2f %12.2f %15.2f %12.2f %13.2f",
                result.size(),
                result.iterations(),
                latency.min(),
                latency.max(),
                latency.typical(),
                latency.average(),
                latency.deviation()));
        percentiles.forEach(percent -> text.append(format(" %14.2f", latency.percentile(percent))));
        return text.toString();
    }

    private static String bandwidthHeader() {
        return format(
                "%9s %11s %19s %19s %13s",
                "#bytes", "#iterations", "BW average[MB/sec]", "BW average[Gb/sec]", "MsgRate[Mpps]");
    }

    private static String bandwidthLine(TestResult result) {
        Bandwidth bandwidth = result.bandwidth();
        return format(
                "%9d %11d %19.2f %19.3f %13.6f",
                result.size(),
                result.iterations(),
                bandwidth.mebibytesPerSecond(),
                bandwidth.gigabitsPerSecond(),
                bandwidth.millionMessagesPerSecond());
    }

    private static String format(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}

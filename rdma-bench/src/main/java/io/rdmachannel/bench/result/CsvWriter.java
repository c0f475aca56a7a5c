// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Results as comma-separated values: one header, a line for each size, the same columns for all tests. */
public final class CsvWriter {
    private final List<Double> percentiles;

    /**
     * Makes a writer.
     *
     * @param percentiles which have columns
     */
    public CsvWriter(List<Double> percentiles) {
        this.percentiles = List.copyOf(percentiles);
    }

    /**
     * Writes.
     *
     * @param results the results
     * @return header and lines
     */
    public String write(List<TestResult> results) {
        StringBuilder text = new StringBuilder(header()).append('\n');
        results.forEach(result -> text.append(line(result)).append('\n'));
        return text.toString();
    }

    private String header() {
        List<String> columns = new ArrayList<>(List.of(
                "test",
                "transport",
                "device",
                "mode",
                "bytes",
                "iterations",
                "tx_depth",
                "rate_per_s",
                "basis",
                "mb_per_s",
                "gbit_per_s",
                "mpps",
                "t_min_us",
                "t_max_us",
                "t_typical_us",
                "t_avg_us",
                "t_stdev_us"));
        percentiles.forEach(percent -> columns.add("p" + TableWriter.percent(percent) + "_us"));
        return String.join(",", columns);
    }

    private String line(TestResult result) {
        List<String> values = new ArrayList<>(List.of(
                result.test().label(),
                result.transport().name().toLowerCase(Locale.ROOT),
                result.device() == null ? "" : result.device(),
                result.mode().label(),
                String.valueOf(result.size()),
                String.valueOf(result.iterations()),
                String.valueOf(result.txDepth()),
                result.ratePerSecond() == null ? "" : String.valueOf(result.ratePerSecond()),
                result.latency() == null ? "" : result.latency().basis().label()));
        addBandwidth(values, result.bandwidth());
        addLatency(values, result.latency());
        return String.join(",", values);
    }

    private static void addBandwidth(List<String> values, Bandwidth bandwidth) {
        if (bandwidth == null) {
            values.addAll(List.of("", "", ""));
            return;
        }
        values.add(number(bandwidth.mebibytesPerSecond()));
        values.add(number(bandwidth.gigabitsPerSecond()));
        values.add(number(bandwidth.millionMessagesPerSecond()));
    }

    private void addLatency(List<String> values, Latency latency) {
        if (latency == null) {
            values.addAll(List.of("", "", "", "", ""));
            percentiles.forEach(percent -> values.add(""));
            return;
        }
        values.add(number(latency.min()));
        values.add(number(latency.max()));
        values.add(number(latency.typical()));
        values.add(number(latency.average()));
        values.add(number(latency.deviation()));
        percentiles.forEach(percent -> values.add(number(latency.percentile(percent))));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import io.rdmachannel.bench.result.Environment;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of a report. */
final class Numbers {
    private Numbers() {}

    static String environments(List<Source> sources) {
        List<List<String>> rows = new ArrayList<>();
        for (Source source : sources) {
            Environment environment = source.document().environment();
            rows.add(List.of(
                    source.name(),
                    environment.date(),
                    environment.host(),
                    known(environment.cpu()) + ", " + environment.processors() + " usable",
                    environment.kernel(),
                    known(environment.system()),
                    environment.java(),
                    known(environment.rdmaCore()),
                    source.document().tool(),
                    source.document().command()));
        }
        return Html.table(
                "Where the client ran",
                List.of(
                        "file",
                        "date (UTC)",
                        "host",
                        "processor",
                        "kernel",
                        "system",
                        "Java",
                        "rdma-core",
                        "rdma-bench",
                        "command"),
                rows);
    }

    /** A test's figures, of all curves. */
    static String results(TestKind test, List<Curve> curves) {
        List<List<String>> rows = new ArrayList<>();
        for (Curve curve : curves) {
            for (TestResult result : curve.results()) {
                rows.add(test.isLatency() ? latency(curve, result) : bandwidth(curve, result));
            }
        }
        List<String> columns = test.isLatency()
                ? List.of("transport, mode", "bytes", "operations", "min", "median", "mean", "99 %", "99.9 %", "max")
                : List.of("transport, mode", "bytes", "operations", "outstanding", "MB/s", "Gb/s", "million/s");
        String unit = test.isLatency() ? ": latency in µs" : ": bandwidth";
        return Html.table(test.label() + unit, columns, rows);
    }

    private static List<String> latency(Curve curve, TestResult result) {
        return List.of(
                curve.label(),
                String.valueOf(result.size()),
                String.valueOf(result.iterations()),
                figure("%.2f", result.latency().min()),
                figure("%.2f", result.latency().typical()),
                figure("%.2f", result.latency().average()),
                figure("%.2f", result.latency().percentile(99)),
                figure("%.2f", result.latency().percentile(99.9)),
                figure("%.2f", result.latency().max()));
    }

    private static List<String> bandwidth(Curve curve, TestResult result) {
        return List.of(
                curve.label(),
                String.valueOf(result.size()),
                String.valueOf(result.iterations()),
                String.valueOf(result.txDepth()),
                figure("%.2f", result.bandwidth().mebibytesPerSecond()),
                figure("%.3f", result.bandwidth().gigabitsPerSecond()),
                figure("%.6f", result.bandwidth().millionMessagesPerSecond()));
    }

    private static String figure(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }

    private static String known(String value) {
        return value == null ? "unknown" : value;
    }
}

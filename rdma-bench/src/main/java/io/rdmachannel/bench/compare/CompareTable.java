// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import java.util.List;
import java.util.Locale;

/** Comparisons as a table for people. */
final class CompareTable {
    private static final String RULE = "-".repeat(118);

    private CompareTable() {}

    static String write(CompareDocument document) {
        StringBuilder text = new StringBuilder();
        text.append("Java (rdma-channel) beside C (perftest ")
                .append(document.perftest())
                .append(") on ")
                .append(document.device())
                .append(", ")
                .append(document.rounds())
                .append(document.rounds() == 1 ? " round" : " rounds in turns")
                .append(document.cpus().isEmpty() ? "" : ", processors " + document.cpus())
                .append("\nMedian of the rounds, [least .. most]. Latency: medians, in usec; less is better."
                        + " Bandwidth: MB/sec; more is better.\n");
        text.append(RULE).append('\n');
        text.append(
                String.format("%-11s %-6s %8s %32s %32s %24s%n", "test", "mode", "#bytes", "C", "Java", "Java / C"));
        document.comparisons().forEach(comparison -> text.append(line(comparison)));
        return text.append(RULE).append('\n').toString();
    }

    private static String line(Comparison comparison) {
        List<String> columns = List.of(
                spread("%.2f", comparison.c()), spread("%.2f", comparison.java()), spread("%.2f", comparison.ratio()));
        return String.format(
                "%-11s %-6s %8d %32s %32s %24s%n",
                comparison.test(),
                comparison.mode(),
                comparison.size(),
                columns.get(0),
                columns.get(1),
                columns.get(2));
    }

    private static String spread(String form, Spread spread) {
        return String.format(
                Locale.ROOT, form + " [" + form + " .. " + form + "]", spread.median(), spread.low(), spread.high());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sorts results into curves. */
final class Curves {
    private final Map<TestKind, Map<String, List<TestResult>>> byTest = new EnumMap<>(TestKind.class);

    Curves(List<Source> sources) {
        sources.forEach(this::add);
    }

    /** The tests that there are results of. */
    List<TestKind> tests() {
        return List.copyOf(byTest.keySet());
    }

    List<Curve> of(TestKind test) {
        return byTest.getOrDefault(test, Map.of()).entrySet().stream()
                .map(entry -> new Curve(
                        entry.getKey(),
                        entry.getValue().stream()
                                .sorted(Comparator.comparingInt(TestResult::size))
                                .toList()))
                .toList();
    }

    /** Two files that have measured the same in the same way become two curves. */
    private void add(Source source) {
        Map<TestKind, Map<String, List<TestResult>>> own = new EnumMap<>(TestKind.class);
        for (TestResult result : source.document().results()) {
            own.computeIfAbsent(result.test(), key -> new LinkedHashMap<>())
                    .computeIfAbsent(label(result), key -> new ArrayList<>())
                    .add(result);
        }
        own.forEach((test, curves) -> {
            Map<String, List<TestResult>> all = byTest.computeIfAbsent(test, key -> new LinkedHashMap<>());
            curves.forEach((label, results) -> all.put(unused(all, label, source.name()), results));
        });
    }

    private static String unused(Map<String, List<TestResult>> all, String label, String file) {
        String candidate = label;
        for (int i = 1; all.containsKey(candidate); i++) {
            candidate = label + " (" + file + (i == 1 ? "" : ", " + i) + ")";
        }
        return candidate;
    }

    private static String label(TestResult result) {
        String rate = result.ratePerSecond() == null ? "" : ", " + result.ratePerSecond() + "/s";
        return result.transport() + ", " + result.mode() + rate;
    }
}

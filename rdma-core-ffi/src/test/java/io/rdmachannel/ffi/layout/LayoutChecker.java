// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares what Java states with what the C program printed, and lists every difference. */
final class LayoutChecker {
    static final String REMEDY = "After a change of a list or header, run native-headers/generate.sh and commit what it"
            + " writes; with other installed headers, read native-headers/layout-probe/README.md, \"When it fails\".";

    private final List<String> mismatches = new ArrayList<>();
    private final Map<String, Long> measured = new LinkedHashMap<>();

    private LayoutChecker() {}

    /** Gives one sentence for each difference, none when both sides agree. */
    static List<String> mismatches(Collection<Fact> facts, List<String> printed) {
        LayoutChecker checker = new LayoutChecker();
        if (facts.isEmpty()) {
            checker.mismatches.add("Java states nothing at all");
        }
        printed.forEach(checker::read);
        facts.forEach(checker::compare);
        checker.findUnasked(facts);
        return checker.mismatches;
    }

    /** Makes the failure message of a test. */
    static String report(List<String> mismatches) {
        return "The generated Java classes and C differ, " + mismatches.size() + " times:\n  "
                + String.join("\n  ", mismatches) + "\n" + REMEDY;
    }

    private void read(String line) {
        String[] parts = line.split("\t", -1);
        try {
            if (parts.length == 2 && measured.putIfAbsent(parts[0], Long.parseLong(parts[1])) == null) {
                return;
            }
        } catch (NumberFormatException ignored) {
            // Reported with the other lines that are no measurement.
        }
        mismatches.add("C printed a line that is no measurement, or one for the second time: " + line);
    }

    private void compare(Fact fact) {
        Long value = measured.get(fact.expression());
        if (value == null) {
            mismatches.add(fact.subject() + ": Java has " + fact.value() + ", C printed no " + fact.expression());
        } else if (!fact.agreesWith(value)) {
            mismatches.add(fact.subject() + ": Java has " + fact.value() + (fact.growing() ? " as the least" : "")
                    + ", C has " + value + " for " + fact.expression());
        }
    }

    private void findUnasked(Collection<Fact> facts) {
        Set<String> asked = facts.stream().map(Fact::expression).collect(Collectors.toSet());
        measured.forEach((expression, value) -> {
            if (!asked.contains(expression)) {
                mismatches.add(expression + ": C has " + value + ", Java states nothing");
            }
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What all rounds found for one cell.
 *
 * @param test what was measured
 * @param mode how both sides waited
 * @param size bytes of one operation
 * @param unit of the figures
 * @param c perftest's figures
 * @param java ours
 * @param ratio of the medians, Java to C, with the least and the most of the rounds' own ratios
 * @param ratioP99 the same of the 99th percentiles; null for bandwidth
 * @param cRounds perftest's figures, round by round
 * @param javaRounds ours
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Comparison(
        TestKind test,
        PollMode mode,
        int size,
        String unit,
        Spread c,
        Spread java,
        Spread ratio,
        Spread ratioP99,
        List<Figures> cRounds,
        List<Figures> javaRounds) {
    /** Compares rounds, of which there are as many on both sides, and at least one. */
    static Comparison of(Cell cell, List<Figures> c, List<Figures> java) {
        List<Double> cMain = c.stream().map(Figures::main).toList();
        List<Double> javaMain = java.stream().map(Figures::main).toList();
        Spread ratioP99 = cell.test().isLatency()
                ? ratio(
                        c.stream().map(Figures::p99).toList(),
                        java.stream().map(Figures::p99).toList())
                : null;
        return new Comparison(
                cell.test(),
                cell.mode(),
                cell.size(),
                cell.unit(),
                Spread.of(cMain),
                Spread.of(javaMain),
                ratio(cMain, javaMain),
                ratioP99,
                List.copyOf(c),
                List.copyOf(java));
    }

    private static Spread ratio(List<Double> c, List<Double> java) {
        Spread rounds = Spread.of(IntStream.range(0, c.size())
                .mapToObj(round -> java.get(round) / c.get(round))
                .toList());
        return new Spread(Spread.of(java).median() / Spread.of(c).median(), rounds.low(), rounds.high());
    }
}

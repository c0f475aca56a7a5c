// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Lets both sides measure in turns. */
final class Rounds {
    private final PerftestSide c;
    private final JavaSide java;
    private final Consumer<String> log;

    /** One side's figures for a cell, and the other's. */
    private record Found(List<Figures> c, List<Figures> java) {}

    Rounds(PerftestSide c, JavaSide java, Consumer<String> log) {
        this.c = c;
        this.java = java;
        this.log = log;
    }

    /**
     * Measures.
     *
     * @param cells what
     * @param rounds how often
     * @return a comparison for each cell
     */
    List<Comparison> run(List<Cell> cells, int rounds) throws InterruptedException {
        Map<Cell, Found> found = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Cell cell : cells) {
                Found cellFound = found.computeIfAbsent(cell, key -> new Found(new ArrayList<>(), new ArrayList<>()));
                measure(cell, round % 2 == 0, cellFound);
                log.accept(String.format(
                        Locale.ROOT,
                        "round %d of %d: %s: C %.2f, Java %.2f %s",
                        round + 1,
                        rounds,
                        cell,
                        cellFound.c().getLast().main(),
                        cellFound.java().getLast().main(),
                        cell.unit()));
            }
        }
        return found.entrySet().stream()
                .map(entry -> Comparison.of(
                        entry.getKey(), entry.getValue().c(), entry.getValue().java()))
                .toList();
    }

    private void measure(Cell cell, boolean cFirst, Found found) throws InterruptedException {
        if (cFirst) {
            found.c().add(c.measure(cell));
        }
        found.java().add(java.measure(cell));
        if (!cFirst) {
            found.c().add(c.measure(cell));
        }
    }
}

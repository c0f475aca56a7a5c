// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rdmachannel.bench.result.Environment;
import io.rdmachannel.bench.result.PollMode;
import io.rdmachannel.bench.result.TestKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final Cell CELL = new Cell(TestKind.SEND_LAT, PollMode.BUSY, 64);
    private static final List<Figures> C = List.of(new Figures(10, 20.0), new Figures(12, 30.0), new Figures(11, 25.0));
    private static final List<Figures> JAVA =
            List.of(new Figures(11, 20.0), new Figures(18, 60.0), new Figures(11, 30.0));

    @Test
    void shouldDivideMediansAndKeepTheSpreadOfTheRounds() {
        Comparison comparison = Comparison.of(CELL, C, JAVA);

        assertThat(comparison.c()).isEqualTo(new Spread(11, 10, 12));
        assertThat(comparison.java()).isEqualTo(new Spread(11, 11, 18));
        assertThat(comparison.ratio()).isEqualTo(new Spread(1, 1, 1.5));
        assertThat(comparison.ratioP99().median()).isCloseTo(1.2, within(1e-9));
        assertThat(comparison.unit()).isEqualTo("usec");
    }

    @Test
    void shouldTakeTheMeanOfTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(new Spread(2.5, 1, 4));
    }

    @Test
    void shouldHaveNoPercentilesOfBandwidth() {
        Cell cell = new Cell(TestKind.SEND_BW, PollMode.EVENT, 65536);
        List<Figures> figures = List.of(new Figures(100, null));

        Comparison comparison = Comparison.of(cell, figures, figures);

        assertThat(comparison.ratioP99()).isNull();
        assertThat(comparison.unit()).isEqualTo("MB/sec");
    }

    @Test
    void shouldPrintATableOfRatios() {
        CompareDocument document = new CompareDocument(
                CompareDocument.SCHEMA,
                "0.0",
                Environment.current(),
                "rdma-bench compare",
                "6.06",
                "rxe0",
                1,
                List.of(0, 1),
                3,
                1000,
                128,
                List.of(Comparison.of(CELL, C, JAVA)));

        assertThat(CompareTable.write(document))
                .contains("perftest 6.06", "rxe0", "3 rounds in turns", "processors [0, 1]")
                .containsPattern("send-lat +busy +64 +11.00 \\[10.00 .. 12.00] +11.00 \\[11.00 .. 18.00]"
                        + " +1.00 \\[1.00 .. 1.50]");
    }
}

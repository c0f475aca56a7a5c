// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.rdmachannel.bench.tool.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The outputs are true ones, of perftest 4.5 on Soft-RoCE. */
class PerftestOutputTest {
    @Test
    void shouldReadALatencySummary() throws IOException {
        assertThat(PerftestOutput.parse(recorded("ib_send_lat.txt")))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.size()).isEqualTo(64);
                    assertThat(row.iterations()).isEqualTo(200);
                    assertThat(row.figures()).isEqualTo(new Figures(13.13, 92.13));
                    assertThat(row.raw()).isEmpty();
                });
    }

    @Test
    void shouldTakePercentilesFromSingleLatencies() throws IOException {
        assertThat(PerftestOutput.parse(recorded("ib_send_lat_U.txt")))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.raw())
                            .hasSize(19)
                            .startsWith(5650.68, 135.657)
                            .endsWith(13.1099);
                    assertThat(row.figures()).isEqualTo(new Figures(16.1306, 5650.68));
                });
    }

    @Test
    void shouldReadLatenciesWithEventsAndOfReads() throws IOException {
        assertThat(PerftestOutput.parse(recorded("ib_send_lat_e_U.txt")))
                .singleElement()
                .satisfies(row -> assertThat(row.raw()).hasSize(19));
        assertThat(PerftestOutput.parse(recorded("ib_read_lat_e_U.txt")))
                .singleElement()
                .satisfies(row -> assertThat(row.raw()).hasSize(49));
    }

    @Test
    void shouldReadALineForEachSize() throws IOException {
        List<PerftestRow> rows = PerftestOutput.parse(recorded("ib_send_lat_a.txt"));

        assertThat(rows).hasSize(23);
        assertThat(rows.getFirst().size()).isEqualTo(2);
        assertThat(rows.getLast().size()).isEqualTo(8388608);
        assertThat(rows.getLast().figures().main()).isEqualTo(389002.65);
    }

    @Test
    void shouldReadBandwidth() throws IOException {
        assertThat(PerftestOutput.parse(recorded("ib_send_bw.txt")))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.size()).isEqualTo(65536);
                    assertThat(row.figures()).isEqualTo(new Figures(22.49, null));
                });
    }

    @Test
    void shouldConvertBandwidthInGigabits() throws IOException {
        assertThat(PerftestOutput.parse(recorded("ib_write_bw_gbits.txt")))
                .singleElement()
                .satisfies(row ->
                        assertThat(row.figures().main()).isCloseTo(0.19e9 / 8 / 1048576, withinPercentage(0.01)));
    }

    @Test
    void shouldTakeTheMessageRateWhereTheBandwidthIsRoundedAway() {
        String header = " #bytes #iterations BW peak[MB/sec] BW average[MB/sec] MsgRate[Mpps]\n";

        assertThat(PerftestOutput.parse(header + " 4096 20 0.00 0.00 0.000064\n"))
                .singleElement()
                .satisfies(row -> assertThat(row.figures().main()).isCloseTo(0.25, withinPercentage(0.01)));
        assertThatThrownBy(() -> PerftestOutput.parse(header + " 2 20 0.00 0.00 0.000000\n"))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("larger size");
    }

    @Test
    void shouldRefuseColumnsThatItDoesNotKnow() throws IOException {
        String durations = recorded("ib_send_lat_D.txt");

        assertThatThrownBy(() -> PerftestOutput.parse(durations))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("tps average");
    }

    @Test
    void shouldShowWhatPerftestPrintedInsteadOfResults() throws IOException {
        String failure = recorded("no_device.txt");

        assertThatThrownBy(() -> PerftestOutput.parse(failure))
                .isInstanceOf(ToolException.class)
                .hasMessageContainingAll("printed no results", "IB device rxe9 not found");
        assertThatThrownBy(() -> PerftestOutput.parse("")).isInstanceOf(ToolException.class);
    }

    @Test
    void shouldRefuseALineWithFiguresMissing() {
        String cut = " #bytes #iterations t_min[usec] t_max[usec] t_typical[usec] t_avg[usec]\n 64 1000 1.0 2.0\n";

        assertThatThrownBy(() -> PerftestOutput.parse(cut))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("2 figures");
    }

    private static String recorded(String name) throws IOException {
        try (InputStream in = PerftestOutputTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.bench.result.Samples;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import io.rdmachannel.channel.Transport;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurvesTest {
    private static final TestResult SMALL = Samples.latency(TestKind.SEND_LAT, Transport.TCP, 64, null);
    private static final TestResult LARGE = Samples.latency(TestKind.SEND_LAT, Transport.TCP, 4096, null);

    @Test
    void shouldJoinSizesOfOneTestAndOrderThem() {
        Curves curves = new Curves(List.of(source("a.json", LARGE, SMALL)));

        assertThat(curves.tests()).containsExactly(TestKind.SEND_LAT);
        assertThat(curves.of(TestKind.SEND_LAT)).singleElement().satisfies(curve -> {
            assertThat(curve.label()).isEqualTo("TCP, busy");
            assertThat(curve.results()).containsExactly(SMALL, LARGE);
            assertThat(curve.nearest(5000)).isEqualTo(LARGE);
            assertThat(curve.nearest(1)).isEqualTo(SMALL);
        });
        assertThat(curves.of(TestKind.READ_BW)).isEmpty();
    }

    @Test
    void shouldTellTwoFilesOfTheSameApart() {
        Curves curves = new Curves(List.of(source("a.json", SMALL), source("b.json", SMALL), source("b.json", SMALL)));

        assertThat(curves.of(TestKind.SEND_LAT))
                .extracting(Curve::label)
                .containsExactly("TCP, busy", "TCP, busy (b.json)", "TCP, busy (b.json, 2)");
    }

    @Test
    void shouldTellRatesAndTransportsApart() {
        Curves curves = new Curves(List.of(source(
                "a.json",
                SMALL,
                Samples.latency(TestKind.SEND_LAT, Transport.RDMA, 64, null),
                Samples.latency(TestKind.SEND_LAT, Transport.TCP, 64, 1000.0))));

        assertThat(curves.of(TestKind.SEND_LAT))
                .extracting(Curve::label)
                .containsExactly("TCP, busy", "RDMA, busy", "TCP, busy, 1000.0/s");
    }

    static Source source(String name, TestResult... results) {
        return new Source(name, Samples.document(List.of(results)));
    }
}

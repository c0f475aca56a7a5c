// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Units: microseconds, halves, and the two kinds of mega. */
class FiguresTest {
    @Test
    void shouldHalveRoundTripsOfSendsAndWrites() {
        Latency half = Latency.of(Samples.histogram(100), LatencyBasis.HALF_ROUND_TRIP, List.of());
        Latency whole = Latency.of(Samples.histogram(100), LatencyBasis.ROUND_TRIP, List.of());

        assertThat(whole.min()).isCloseTo(1, withinPercentage(0.1));
        assertThat(whole.max()).isCloseTo(100, withinPercentage(0.1));
        assertThat(whole.typical()).isCloseTo(50, withinPercentage(0.1));
        assertThat(whole.average()).isCloseTo(50.5, withinPercentage(0.1));
        assertThat(whole.deviation()).isCloseTo(28.87, within(0.1));
        assertThat(half.typical()).isEqualTo(whole.typical() / 2);
        assertThat(half.percentile(99)).isEqualTo(whole.percentile(99) / 2);
        assertThat(half.deviation()).isEqualTo(whole.deviation() / 2);
    }

    @Test
    void shouldNotHalveWhatCountsFromTheIntendedStart() {
        Latency latency = Latency.of(Samples.histogram(100), LatencyBasis.FROM_INTENDED_START, List.of());

        assertThat(latency.typical()).isCloseTo(50, withinPercentage(0.1));
    }

    @Test
    void shouldKeepTheWantedPercentilesAmongTheUsualOnesInOrder() {
        Latency latency = Latency.of(Samples.histogram(1000), LatencyBasis.ROUND_TRIP, List.of(33.3, 99.0));

        assertThat(latency.percentiles())
                .isSortedAccordingTo(Comparator.comparingDouble(Percentile::percentile))
                .extracting(Percentile::percentile)
                .contains(0.0, 33.3, 50.0, 99.9, 99.999, 100.0)
                .doesNotHaveDuplicates();
        assertThat(latency.percentile(33.3)).isCloseTo(333, withinPercentage(0.2));
        assertThatThrownBy(() -> latency.percentile(12)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldCountBandwidthInMebibytesAndDecimalGigabits() {
        Bandwidth bandwidth = Bandwidth.of(2000, 1 << 20, 4_000_000_000L);

        assertThat(bandwidth.mebibytesPerSecond()).isEqualTo(500);
        assertThat(bandwidth.gigabitsPerSecond()).isCloseTo(4.194304, within(1e-9));
        assertThat(bandwidth.millionMessagesPerSecond()).isCloseTo(0.0005, within(1e-12));
    }

    @Test
    void shouldKnowPerftestsProgramsAndWhatIsPrintedOfEachTest() {
        assertThat(TestKind.of("write-lat").perftestProgram()).isEqualTo("ib_write_lat");
        assertThat(TestKind.SEND_LAT.basis()).isEqualTo(LatencyBasis.HALF_ROUND_TRIP);
        assertThat(TestKind.ATOMIC_LAT.basis()).isEqualTo(LatencyBasis.ROUND_TRIP);
        assertThat(TestKind.READ_BW.isLatency()).isFalse();
    }
}

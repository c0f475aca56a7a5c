// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Test
    void shouldGiveHalfOfTheRoundTripsInMicroseconds() {
        Latencies latencies = new Latencies(100);
        for (int i = 100; i >= 1; i--) {
            latencies.record(i * 2000L);
        }

        assertThat(latencies.halfRoundTripMicros(0.5, 0.99, 1)).containsExactly(50, 99, 100);
        assertThat(latencies.averageHalfRoundTripMicros()).isEqualTo(50.5);
    }

    @Test
    void shouldCountOnlyWhatWasRecorded() {
        Latencies latencies = new Latencies(100);
        latencies.record(4000);

        assertThat(latencies.halfRoundTripMicros(0.5, 0.99)).containsExactly(2, 2);
        assertThat(latencies.averageHalfRoundTripMicros()).isEqualTo(2);
    }

    @Test
    void shouldKeepTheLastWhenThereIsNoMoreRoom() {
        Latencies latencies = new Latencies(2);
        latencies.record(1);
        latencies.record(4000);
        latencies.record(6000);

        assertThat(latencies.count()).isEqualTo(3);
        assertThat(latencies.halfRoundTripMicros(0, 1)).containsExactly(2, 3);
    }
}

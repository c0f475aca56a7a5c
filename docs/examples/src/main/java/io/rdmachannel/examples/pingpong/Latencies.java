// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.util.Arrays;

/** The times of the last round trips, up to a million. Recording allocates nothing. */
final class Latencies {
    private static final int CAPACITY_MAX = 1_000_000;

    private final long[] nanos;
    private long recorded;

    Latencies(int capacity) {
        this.nanos = new long[Math.clamp(capacity, 1, CAPACITY_MAX)];
    }

    void record(long roundTripNanos) {
        nanos[(int) (recorded++ % nanos.length)] = roundTripNanos;
    }

    long count() {
        return recorded;
    }

    /** One value for each fraction between 0 and 1: microseconds of half a round trip that so many did not exceed. */
    double[] halfRoundTripMicros(double... fractions) {
        long[] sorted = Arrays.copyOf(nanos, (int) Math.min(recorded, nanos.length));
        Arrays.sort(sorted);
        return Arrays.stream(fractions)
                .map(fraction -> sorted[Math.max(0, (int) Math.ceil(fraction * sorted.length) - 1)] / 2000.0)
                .toArray();
    }

    double averageHalfRoundTripMicros() {
        return Arrays.stream(nanos, 0, (int) Math.min(recorded, nanos.length))
                        .average()
                        .orElse(0)
                / 2000;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What can be measured, by the names of perftest. */
public enum TestKind {
    /** A message there and one back. */
    SEND_LAT(LatencyBasis.HALF_ROUND_TRIP, false),
    /** A write there and one back, each found by looking at one's own memory. */
    WRITE_LAT(LatencyBasis.HALF_ROUND_TRIP, true),
    /** A read of the peer's memory. */
    READ_LAT(LatencyBasis.ROUND_TRIP, true),
    /** A fetch-and-add of 8 bytes of the peer's memory. */
    ATOMIC_LAT(LatencyBasis.ROUND_TRIP, true),
    /** Messages one way. */
    SEND_BW(null, false),
    /** Writes to the peer's memory. */
    WRITE_BW(null, true),
    /** Reads of the peer's memory. */
    READ_BW(null, true);

    private final LatencyBasis basis;
    private final boolean oneSided;

    TestKind(LatencyBasis basis, boolean oneSided) {
        this.basis = basis;
        this.oneSided = oneSided;
    }

    /**
     * Finds a test by its name.
     *
     * @param label as in {@link #label()}
     * @return the test
     * @throws IllegalArgumentException if there is none of that name
     */
    @JsonCreator
    public static TestKind of(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no test '" + label + "'; there are " + labels() + ""));
    }

    /**
     * Lists the names.
     *
     * @return separated by commas
     */
    public static String labels() {
        return Arrays.stream(values()).map(TestKind::label).collect(Collectors.joining(", "));
    }

    /**
     * Gives the name.
     *
     * @return such as {@code send-lat}
     */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Gives perftest's program for the same.
     *
     * @return such as {@code ib_send_lat}
     */
    public String perftestProgram() {
        return "ib_" + name().toLowerCase(Locale.ROOT);
    }

    /**
     * Says whether it is times that are measured, and not bandwidth.
     *
     * @return true for latencies
     */
    public boolean isLatency() {
        return basis != null;
    }

    /**
     * Says what is printed as latency.
     *
     * @return half a round trip or a whole one; null for bandwidth
     */
    public LatencyBasis basis() {
        return basis;
    }

    /**
     * Says whether it uses exposed memory.
     *
     * @return false where messages are sent
     */
    public boolean isOneSided() {
        return oneSided;
    }

    /**
     * Says whether the server does nothing but let it happen.
     *
     * @return true for one-sided tests without a write back
     */
    public boolean isPassive() {
        return oneSided && this != WRITE_LAT;
    }

    @Override
    public String toString() {
        return label();
    }
}

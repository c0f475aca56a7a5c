// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a latency is. */
public enum LatencyBasis {
    /** Half the time from a send or write to the answer, as perftest has it. */
    HALF_ROUND_TRIP("half a round trip"),
    /** The time from the beginning of an operation to its end. */
    ROUND_TRIP("a whole round trip"),
    /** At a fixed rate: the time from when the operation was to begin to its end, never halved. */
    FROM_INTENDED_START("from the intended start to the end");

    private final String meaning;

    LatencyBasis(String meaning) {
        this.meaning = meaning;
    }

    /**
     * Finds a basis by its name.
     *
     * @param label as in {@link #label()}
     * @return the basis
     */
    @JsonCreator
    public static LatencyBasis of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /**
     * Gives the name.
     *
     * @return such as {@code half-round-trip}
     */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Explains it.
     *
     * @return a few words
     */
    public String meaning() {
        return meaning;
    }

    /**
     * Says by how much a measured time is divided.
     *
     * @return 1 or 2
     */
    public int divisor() {
        return this == HALF_ROUND_TRIP ? 2 : 1;
    }
}

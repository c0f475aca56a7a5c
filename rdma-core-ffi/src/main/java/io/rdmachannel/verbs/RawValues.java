// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * Finds the number that C has for a constant of an enum, and the constant of a number: one look into an array, nothing
 * allocated. Numbers that this version does not know give the enum's own UNKNOWN, so that a newer library or driver
 * never breaks a program.
 *
 * @param <E> the enum
 */
final class RawValues<E extends Enum<E>> {
    private static final int NONE = -1;

    private final int[] rawByOrdinal;
    private final E[] byRaw;
    private final E unknown;

    RawValues(E[] constants, Function<E, IntSupplier> source, E unknown) {
        this.rawByOrdinal = Arrays.stream(constants)
                .mapToInt(constant -> source.apply(constant).getAsInt())
                .toArray();
        this.unknown = unknown;
        this.byRaw = Arrays.copyOf(constants, Arrays.stream(rawByOrdinal).max().orElse(NONE) + 1);
        Arrays.fill(byRaw, unknown);
        for (E constant : constants) {
            if (raw(constant) != NONE) {
                byRaw[raw(constant)] = constant;
            }
        }
    }

    /** The number of a constant that C does not have. */
    static int none() {
        return NONE;
    }

    int raw(E constant) {
        return rawByOrdinal[constant.ordinal()];
    }

    E of(int raw) {
        return raw >= 0 && raw < byRaw.length ? byRaw[raw] : unknown;
    }
}

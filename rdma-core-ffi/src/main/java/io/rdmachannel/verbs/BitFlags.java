// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * Converts between sets of flags and the bit masks that C takes. Bits that no constant stands for are dropped.
 *
 * @param <E> the enum of the flags
 */
final class BitFlags<E extends Enum<E>> {
    private final Class<E> type;
    private final int[] bitByOrdinal;

    BitFlags(Class<E> type, Function<E, IntSupplier> source) {
        this.type = type;
        this.bitByOrdinal = Arrays.stream(type.getEnumConstants())
                .mapToInt(flag -> source.apply(flag).getAsInt())
                .toArray();
    }

    int bit(E flag) {
        return bitByOrdinal[flag.ordinal()];
    }

    int bits(Set<E> flags) {
        int bits = 0;
        for (E flag : flags) {
            bits |= bit(flag);
        }
        return bits;
    }

    Set<E> of(int bits) {
        EnumSet<E> flags = EnumSet.allOf(type);
        flags.removeIf(flag -> (bits & bit(flag)) == 0);
        return Collections.unmodifiableSet(flags);
    }
}

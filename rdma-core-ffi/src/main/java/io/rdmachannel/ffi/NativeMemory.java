// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Native memory by its address, for the data path: one move of a processor, where a segment of its own costs a look at
 * its bounds and at its scope each time. The caller answers for address, bounds and lifetime: it has checked the number
 * of a slot, and keeps what owns the memory reachable.
 */
public final class NativeMemory {
    private static final MemorySegment ALL = Pointers.view(0, Long.MAX_VALUE);

    private NativeMemory() {}

    /**
     * Reads 8 bytes.
     *
     * @param address where
     * @return the number, in the machine's byte order
     */
    public static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    /**
     * Reads 4 bytes.
     *
     * @param address where
     * @return the number, in the machine's byte order
     */
    public static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    /**
     * Writes 8 bytes.
     *
     * @param address where
     * @param value the number, in the machine's byte order
     */
    public static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    /**
     * Writes 4 bytes.
     *
     * @param address where
     * @param value the number, in the machine's byte order
     */
    public static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    /**
     * Copies out of a segment, which checks its own bounds and life.
     *
     * @param source the segment
     * @param offset where the bytes begin in it
     * @param address where they go
     * @param length how many
     */
    public static void copy(MemorySegment source, long offset, long address, long length) {
        MemorySegment.copy(source, offset, ALL, address, length);
    }
}

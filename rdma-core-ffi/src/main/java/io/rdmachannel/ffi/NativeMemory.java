// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle.AccessMode;

/**
 * Native memory by its address, for the data path: one move of a processor, where a segment of its own costs a look at
 * its bounds and at its scope each time. The caller answers for address, bounds and lifetime: it has checked the number
 * of a slot, and keeps what owns the memory reachable.
 */
public final class NativeMemory {
    private static final MemorySegment ALL = Pointers.view(0, Long.MAX_VALUE);

    // By method handles, since the compiler does not count them when it decides that it has inlined deeply enough.
    private static final MethodHandle GET_LONG = access(ValueLayout.JAVA_LONG_UNALIGNED, AccessMode.GET);
    private static final MethodHandle GET_INT = access(ValueLayout.JAVA_INT_UNALIGNED, AccessMode.GET);
    private static final MethodHandle PUT_LONG = access(ValueLayout.JAVA_LONG_UNALIGNED, AccessMode.SET);
    private static final MethodHandle PUT_INT = access(ValueLayout.JAVA_INT_UNALIGNED, AccessMode.SET);

    private NativeMemory() {}

    /**
     * Reads 8 bytes.
     *
     * @param address where
     * @return the number, in the machine's byte order
     */
    public static long getLong(long address) {
        try {
            return (long) GET_LONG.invokeExact(address);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * Reads 4 bytes.
     *
     * @param address where
     * @return the number, in the machine's byte order
     */
    public static int getInt(long address) {
        try {
            return (int) GET_INT.invokeExact(address);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * Writes 8 bytes.
     *
     * @param address where
     * @param value the number, in the machine's byte order
     */
    public static void putLong(long address, long value) {
        try {
            PUT_LONG.invokeExact(address, value);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /**
     * Writes 4 bytes.
     *
     * @param address where
     * @param value the number, in the machine's byte order
     */
    public static void putInt(long address, int value) {
        try {
            PUT_INT.invokeExact(address, value);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
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

    private static MethodHandle access(ValueLayout layout, AccessMode mode) {
        return layout.varHandle().toMethodHandle(mode).bindTo(ALL);
    }
}

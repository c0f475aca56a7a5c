// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Gives a size to memory that C handed out as a bare address. */
public final class Pointers {
    private Pointers() {}

    /**
     * Views native memory.
     *
     * @param address a valid address that C returned
     * @param bytes how many bytes are there
     * @return a segment over them, in the global scope: the caller answers for the lifetime
     */
    @SuppressWarnings("restricted")
    public static MemorySegment view(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /**
     * Views native memory.
     *
     * @param pointer a valid pointer that C returned
     * @param bytes how many bytes are there
     * @return a segment over them, in the global scope: the caller answers for the lifetime
     */
    public static MemorySegment view(MemorySegment pointer, long bytes) {
        return view(pointer.address(), bytes);
    }

    /**
     * Views native memory for as long as an arena lives: later accesses throw, so that memory can be given back to the
     * system once the arena is closed.
     *
     * @param pointer a valid pointer that C returned
     * @param bytes how many bytes are there
     * @param arena how long they may be used; closing it frees nothing
     * @return a segment over them, in the arena's scope
     */
    @SuppressWarnings("restricted")
    public static MemorySegment view(MemorySegment pointer, long bytes, Arena arena) {
        return pointer.reinterpret(bytes, arena, null);
    }

    /**
     * Says whether C returned a null pointer.
     *
     * @param pointer what C returned
     * @return true for NULL
     */
    public static boolean isNull(MemorySegment pointer) {
        return pointer.address() == 0;
    }

    /**
     * Reads a C string.
     *
     * @param pointer where it begins
     * @param limitBytes how many bytes may be looked at, the final zero included
     * @return the string
     */
    public static String string(MemorySegment pointer, long limitBytes) {
        return view(pointer, limitBytes).getString(0);
    }
}

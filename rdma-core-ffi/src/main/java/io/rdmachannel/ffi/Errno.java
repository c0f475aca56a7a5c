// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The errno of the last failed call of this thread, for those functions whose man page says that they set it.
 *
 * <p>The Java machine may overwrite C's errno between two calls, so it is captured together with the call, into scratch
 * memory of the calling thread: two threads that fail together do not read each other's error.
 */
public final class Errno {
    private static final VarHandle VALUE =
            Linker.Option.captureStateLayout().varHandle(PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> SCRATCH =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    private Errno() {}

    /**
     * Gives this thread's scratch memory, to be passed as the first argument of a call that captures errno.
     *
     * @return the calling thread's own segment
     */
    static MemorySegment scratch() {
        return SCRATCH.get();
    }

    /**
     * Reads the errno that the last capturing call of this thread left. It means something only when that call reported
     * a failure.
     *
     * @return the errno value
     */
    public static int captured() {
        return (int) VALUE.get(SCRATCH.get(), 0L);
    }

    /**
     * Names an errno value.
     *
     * @param value an errno value, positive
     * @return its symbol and number, such as {@code ENOMEM (12)}; the bare number for one that libc does not name
     */
    public static String describe(int value) {
        return ErrnoNames.nameOf(value).map(name -> name + " (" + value + ")").orElse("errno " + value);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Binds threads to processors. Threads that a bound thread starts are bound, too. */
final class ThreadPin {
    private static final int MASK_BYTES = 1024;
    private static final int PROCESSORS_MAX = MASK_BYTES * Byte.SIZE;

    private ThreadPin() {}

    /**
     * Binds the calling thread.
     *
     * @param processor its number, from 0; a negative one does nothing
     * @throws ToolException if the thread may not run there
     */
    static void pin(int processor) {
        if (processor < 0) {
            return;
        }
        int status = -1;
        if (processor < PROCESSORS_MAX) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
                mask.set(ValueLayout.JAVA_BYTE, processor / Byte.SIZE, (byte) (1 << processor % Byte.SIZE));
                status = Libc.sched_setaffinity(0, MASK_BYTES, mask);
            }
        }
        if (status != 0) {
            throw new ToolException("this process cannot run on processor " + processor
                    + (processor < PROCESSORS_MAX ? " (" + Errno.describe(Errno.captured()) + ")" : "")
                    + "; `taskset -pc $$` shows those that it may use");
        }
    }
}

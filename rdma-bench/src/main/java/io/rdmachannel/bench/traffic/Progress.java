// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** How far a run is: one thread sets it, at the cost of a plain store, and another one shows it. */
final class Progress {
    private static final VarHandle DONE;

    private long done;

    static {
        try {
            DONE = MethodHandles.lookup().findVarHandle(Progress.class, "done", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    void set(long value) {
        DONE.setOpaque(this, value);
    }

    long done() {
        return (long) DONE.getOpaque(this);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count of users with checked transitions, and a generation that says how often it has been used. Begins free; one
 * thread
 * {@linkplain #begin begins}, any thread may retain while the count is not 0, and whoever brings it to 0 has it alone.
 */
abstract class ReferenceCounted {
    private static final VarHandle STATE;
    private static final long GENERATION_ONE = 1L << Integer.SIZE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ReferenceCounted.class, "state", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError("a field of this class", impossible);
        }
    }

    /** The generation in the upper half, the count of references in the lower. */
    private volatile long state;

    /** From 0 to 1; the caller must have it alone. */
    final void begin() {
        long now = (long) STATE.get(this);
        STATE.setRelease(this, now + 1);
    }

    /** One more. */
    final void addReference() {
        long now = state;
        while (true) {
            int references = (int) now;
            if (references <= 0 || references == Integer.MAX_VALUE) {
                throw references <= 0
                        ? released("retained")
                        : new IllegalStateException("too many references: " + this);
            }
            long seen = (long) STATE.compareAndExchange(this, now, now + 1);
            if (seen == now) {
                return;
            }
            now = seen;
        }
    }

    /** One less; true when it was the last. */
    final boolean dropReference() {
        long now = state;
        while (true) {
            int references = (int) now;
            if (references <= 0) {
                throw released("released");
            }
            long next = references == 1 ? now - 1 + GENERATION_ONE : now - 1;
            long seen = (long) STATE.compareAndExchange(this, now, next);
            if (seen == now) {
                return references == 1;
            }
            now = seen;
        }
    }

    /**
     * As {@link #dropReference}, without an atomic operation for the last reference: whoever holds the only one is
     * alone with the object, unless two threads release the same reference at the same moment. That mistake goes
     * unnoticed here.
     */
    final boolean dropReferenceUnlessMisused() {
        long now = state;
        if ((int) now != 1) {
            return dropReference();
        }
        STATE.setRelease(this, now - 1 + GENERATION_ONE);
        return true;
    }

    final int references() {
        return (int) state;
    }

    final int generation() {
        return (int) (state >>> Integer.SIZE);
    }

    /** What a use after the end is answered with. */
    abstract IllegalStateException released(String use);
}

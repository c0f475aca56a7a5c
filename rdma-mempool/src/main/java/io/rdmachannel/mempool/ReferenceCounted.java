// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count of users with checked transitions. Begins free; one thread {@linkplain #begin begins}, any thread may retain
 * while the count is not 0, and whoever brings it to 0 has it alone.
 */
abstract class ReferenceCounted {
    private static final VarHandle REFERENCES;

    static {
        try {
            REFERENCES = MethodHandles.lookup().findVarHandle(ReferenceCounted.class, "references", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError("a field of this class", impossible);
        }
    }

    private volatile int references;

    /** From 0 to 1; the caller must have it alone. */
    final void begin() {
        REFERENCES.setRelease(this, 1);
    }

    /** One more. */
    final void addReference() {
        int now = references;
        while (true) {
            if (now <= 0) {
                throw released("retained");
            }
            if (now == Integer.MAX_VALUE) {
                throw new IllegalStateException("too many references: " + this);
            }
            int seen = (int) REFERENCES.compareAndExchange(this, now, now + 1);
            if (seen == now) {
                return;
            }
            now = seen;
        }
    }

    /** One less; true when it was the last. */
    final boolean dropReference() {
        int now = references;
        while (true) {
            if (now <= 0) {
                throw released("released");
            }
            int seen = (int) REFERENCES.compareAndExchange(this, now, now - 1);
            if (seen == now) {
                return now == 1;
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
        if (references != 1) {
            return dropReference();
        }
        REFERENCES.setRelease(this, 0);
        return true;
    }

    final int references() {
        return references;
    }

    /** What a use after the end is answered with. */
    abstract IllegalStateException released(String use);
}

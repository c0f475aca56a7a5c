// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A moment by which something must have happened. */
public final class Deadline {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final long end;
    private final String limit;

    private Deadline(long end, String limit) {
        this.end = end;
        this.limit = limit;
    }

    /** Begins to run now. */
    public static Deadline in(long time, TimeUnit unit) {
        return new Deadline(System.nanoTime() + unit.toNanos(time), time + " " + unit);
    }

    /** The time that anything on one device may take on a busy emulated machine. */
    public static Deadline usual() {
        return in(20, TimeUnit.SECONDS);
    }

    /** Says whether it is over. */
    public boolean isOver() {
        return System.nanoTime() - end >= 0;
    }

    /** Lets others run a moment before the condition is looked at again. */
    public void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /** Waits until something is true, and fails when it is not in time. */
    public void await(String what, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (isOver()) {
                throw new AssertionError("not within " + limit + ": " + what);
            }
            pause();
        }
    }

    /** Waits until a thread has ended, and fails when it has not in time. */
    public void awaitEnd(Thread thread) {
        await("the end of thread " + thread.getName(), () -> !thread.isAlive());
    }
}

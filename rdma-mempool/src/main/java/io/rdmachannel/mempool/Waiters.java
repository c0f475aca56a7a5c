// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Threads that wait for a buffer or for the last one to come home. */
final class Waiters {
    /**
     * A release looks for waiters without a fence, since that would slow down every release: one that runs beside the
     * first moment of a wait may miss it. So waiting is in turns, which bounds what is lost to this time.
     */
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicLong waits = new AtomicLong();
    private final AtomicLong waitNanos = new AtomicLong();
    private final Object monitor = new Object();
    private volatile int present;

    boolean arePresent() {
        return present != 0;
    }

    /** A buffer has come home. */
    void signal() {
        synchronized (monitor) {
            monitor.notifyAll();
        }
    }

    /**
     * Tries until there is a result.
     *
     * @param attempt gives a result or null
     * @param timeoutNanos how long
     * @return the result, or null at the deadline
     */
    <T> T await(Supplier<T> attempt, long timeoutNanos) throws InterruptedException {
        long begin = System.nanoTime();
        waits.incrementAndGet();
        enter(1);
        try {
            while (true) {
                T result = attempt.get();
                long left = timeoutNanos - (System.nanoTime() - begin);
                if (result != null || left <= 0) {
                    return result;
                }
                turn(Math.min(left, TURN_NANOS));
            }
        } finally {
            enter(-1);
            waitNanos.addAndGet(System.nanoTime() - begin);
        }
    }

    long waits() {
        return waits.get();
    }

    long waitNanos() {
        return waitNanos.get();
    }

    private void enter(int change) {
        synchronized (monitor) {
            present += change;
        }
    }

    private void turn(long nanos) throws InterruptedException {
        synchronized (monitor) {
            TimeUnit.NANOSECONDS.timedWait(monitor, nanos);
        }
    }
}

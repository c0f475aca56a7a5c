// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions that nobody announces. */
final class Wait {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Wait() {}

    static void until(String what, Duration limit, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new AssertionError("not within " + limit.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }
}

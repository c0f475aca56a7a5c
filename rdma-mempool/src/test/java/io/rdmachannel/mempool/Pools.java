// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What many tests need. */
final class Pools {
    static final long UNIT = PoolConfig.UNIT_BYTES;

    private Pools() {}

    /** Small, unlocked, unregistered, with ordinary pages. */
    static PoolConfig.Builder small() {
        return PoolConfig.builder().name("test").initialBytes(4 * UNIT).locking(MemoryLocking.NONE);
    }

    static List<Lease> takeAll(RegisteredMemoryPool pool, long bytes) {
        List<Lease> leases = new ArrayList<>();
        Lease lease = pool.acquire(bytes);
        while (lease != null) {
            leases.add(lease);
            lease = pool.acquire(bytes);
        }
        return leases;
    }

    static void inAnotherThread(Runnable action) throws InterruptedException {
        Throwable[] failure = new Throwable[1];
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                action.run();
            } catch (Throwable thrown) {
                failure[0] = thrown;
            }
        });
        thread.join();
        if (failure[0] != null) {
            throw new AssertionError("in the other thread", failure[0]);
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not in time: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}

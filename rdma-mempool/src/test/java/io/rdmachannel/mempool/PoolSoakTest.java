// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Threads acquire, fill, pass on and release at random, with claims, slices, growth and shrinking. Each buffer is
 * filled with its owner's pattern, which must still be there at the end. For as many seconds as {@code
 * mempool.soak.seconds} says.
 */
class PoolSoakTest {
    private static final long SECONDS = Long.getLong("mempool.soak.seconds", 3);
    private static final int THREADS = Integer.getInteger("mempool.soak.threads", 4);
    private static final int HELD_MAX = 60;

    private final AtomicLong patterns = new AtomicLong(1);
    private final AtomicLong acquires = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private final ConcurrentLinkedQueue<Held> passedOn = new ConcurrentLinkedQueue<>();
    private volatile Throwable failure;

    @Test
    void shouldEndWithEverythingBackAndNothingOverlapped() throws InterruptedException {
        soak(false);
    }

    @Test
    void shouldEndWithEverythingBackInTheCheckedMode() throws InterruptedException {
        soak(true);
    }

    private void soak(boolean checked) throws InterruptedException {
        FakeRegistrar registrar = new FakeRegistrar(0);
        PoolConfig config = Pools.small()
                .slabBytes(16 * Pools.UNIT)
                .initialBytes(16 * Pools.UNIT)
                .growthBytes(16 * Pools.UNIT)
                .maxBytes(64 * Pools.UNIT)
                .headroomBytes(48)
                .checkedUse(checked)
                .registerWith(registrar)
                .build();
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(config);
        long seed = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = new SplittableRandom(seed + i);
            threads.add(Thread.ofPlatform().start(() -> guarded(() -> run(pool, random))));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure).as("with seed %d", seed).isNull();
        passedOn.forEach(Held::checkAndRelease);
        PoolStats stats = pool.stats();
        assertThat(stats.inUse()).isZero();
        assertThat(stats.leaks()).isZero();
        assertThat(stats.writesAfterRelease()).isZero();
        pool.shrink();
        assertThat(pool.stats().capacityBytes()).isEqualTo(config.initialBytes());
        pool.close();
        assertThat(registrar.open).hasValue(0);
        System.out.println("soak: " + acquires + " acquires, " + refusals + " found the pool exhausted, "
                + stats.growths() + " growths, checked " + checked);
    }

    private void run(RegisteredMemoryPool pool, SplittableRandom random) {
        long end = System.nanoTime() + SECONDS * 1_000_000_000;
        List<Held> held = new ArrayList<>();
        Claim claim = pool.claim("soak", 1000, 4);
        while (failure == null && System.nanoTime() - end < 0) {
            int action = random.nextInt(100);
            if (action < 45 && held.size() < HELD_MAX) {
                acquire(random.nextInt(8) == 0 ? claim.acquire() : pool.acquire(size(random)), held, random);
            } else if (action < 80 && !held.isEmpty()) {
                held.remove(random.nextInt(held.size())).checkAndRelease();
            } else if (action < 90 && !held.isEmpty()) {
                passedOn.add(held.removeLast());
            } else if (action < 99) {
                Held other = passedOn.poll();
                if (other != null) {
                    other.checkAndRelease();
                }
            } else if (random.nextInt(20) == 0) {
                pool.shrink();
            } else if (random.nextInt(20) == 0) {
                claim.close();
                claim = pool.claim("soak", 1000, 1);
            }
        }
        held.forEach(Held::checkAndRelease);
        claim.close();
    }

    private void acquire(Lease lease, List<Held> held, SplittableRandom random) {
        if (lease == null) {
            refusals.incrementAndGet();
            // Somebody must make room, or all would hold what the others wait for.
            if (!held.isEmpty()) {
                held.removeFirst().checkAndRelease();
            }
            return;
        }
        acquires.incrementAndGet();
        held.add(Held.of(lease, patterns.getAndIncrement(), random.nextInt(4) == 0));
    }

    private static long size(SplittableRandom random) {
        int kind = random.nextInt(100);
        if (kind == 0) {
            return 17 * Pools.UNIT + random.nextInt(100_000);
        }
        return kind < 80 ? random.nextInt(5000) : random.nextInt(200_000);
    }

    private void guarded(Runnable action) {
        try {
            action.run();
        } catch (Throwable thrown) {
            failure = thrown;
        }
    }

    /** A lease with its pattern, perhaps held through a slice only. */
    private record Held(Lease lease, LeaseSlice slice, long pattern, MemorySegment headroom, MemorySegment payload) {
        static Held of(Lease lease, long pattern, boolean sliced) {
            Held held = new Held(
                    lease,
                    sliced ? lease.slice(0, lease.capacity()) : null,
                    pattern,
                    lease.headroom(),
                    lease.segment());
            held.fill();
            if (sliced) {
                lease.release();
            }
            return held;
        }

        void checkAndRelease() {
            check(headroom);
            check(payload);
            if (slice != null) {
                slice.release();
            } else {
                lease.release();
            }
        }

        private void fill() {
            for (MemorySegment part : List.of(headroom, payload)) {
                for (long offset : offsets(part)) {
                    part.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, pattern);
                }
            }
        }

        private void check(MemorySegment part) {
            for (long offset : offsets(part)) {
                long found = part.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
                if (found != pattern) {
                    throw new AssertionError(
                            "pattern " + pattern + " became " + found + " at " + offset + " of " + lease);
                }
            }
        }

        /** Every word of small buffers; of large ones the beginning, the end, and one word of each 512 bytes. */
        private static long[] offsets(MemorySegment part) {
            long step = part.byteSize() <= 8192 ? Long.BYTES : 512;
            int count = (int) (part.byteSize() / step);
            long[] offsets = new long[count + 1];
            for (int i = 0; i < count; i++) {
                offsets[i] = i * step;
            }
            offsets[count] = part.byteSize() - Long.BYTES;
            return offsets;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;

/**
 * What does it cost when one thread acquires and another releases? Buffers go over 64 at a time, as from a poller that
 * takes completions in batches, so that the way between the threads is little of it; {@code ring} is that way alone.
 * The figure is the time per buffer of the slower side. Target: 80 ns.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xms1g", "-Xmx1g"})
public class PoolHandoffBenchmark {
    private static final int BATCH = 64;

    /** The ring of batches between the threads, and the pool. */
    @State(Scope.Group)
    public static class Handoff {
        private static final int SLOTS = 16;
        /** The marks of two batches share no cache line. */
        private static final int MARK_STRIDE = 32;

        private final Lease[][] batches = new Lease[SLOTS][BATCH];
        private final AtomicIntegerArray full = new AtomicIntegerArray((SLOTS + 1) * MARK_STRIDE);
        private RegisteredMemoryPool pool;

        /** Makes the pool. */
        @Setup(Level.Trial)
        public void open() {
            pool = BenchmarkPools.unregistered();
        }

        /** Empties the ring and closes the pool, which proves that all came back. */
        @TearDown(Level.Trial)
        public void close() {
            for (int slot = 0; slot < SLOTS; slot++) {
                for (int i = 0; i < BATCH && isFull(slot) && batches[slot][i] != null; i++) {
                    batches[slot][i].release();
                }
            }
            pool.close();
        }

        private boolean isFull(int slot) {
            return full.getAcquire((slot + 1) * MARK_STRIDE) != 0;
        }

        private void mark(int slot, int value) {
            full.setRelease((slot + 1) * MARK_STRIDE, value);
        }

        /** Waits until a batch is full or empty; on a machine that has other things to do, whoever waits yields. */
        private boolean await(int slot, boolean wanted, Control control) {
            for (int spins = 0; isFull(slot) != wanted; spins++) {
                if (control.stopMeasurement) {
                    return false;
                }
                if (spins < 1000) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield();
                }
            }
            return true;
        }
    }

    /** Where a thread is in the ring. */
    @State(Scope.Thread)
    public static class Place {
        private int slot;

        private int advance() {
            int now = slot;
            slot = (now + 1) % Handoff.SLOTS;
            return now;
        }
    }

    /**
     * Acquires a batch.
     *
     * @param handoff shared
     * @param place the thread's
     * @param control says when to stop
     */
    @Benchmark
    @Group("handoff")
    @GroupThreads(1)
    @OperationsPerInvocation(BATCH)
    public void acquire(Handoff handoff, Place place, Control control) {
        if (!handoff.await(place.slot, false, control)) {
            return;
        }
        int slot = place.advance();
        Lease[] batch = handoff.batches[slot];
        for (int i = 0; i < BATCH; i++) {
            batch[i] = handoff.pool.acquire(4096);
        }
        handoff.mark(slot, 1);
    }

    /**
     * Releases a batch.
     *
     * @param handoff shared
     * @param place the thread's
     * @param control says when to stop
     */
    @Benchmark
    @Group("handoff")
    @GroupThreads(1)
    @OperationsPerInvocation(BATCH)
    public void release(Handoff handoff, Place place, Control control) {
        if (!handoff.await(place.slot, true, control)) {
            return;
        }
        int slot = place.advance();
        for (Lease lease : handoff.batches[slot]) {
            lease.release();
        }
        handoff.mark(slot, 0);
    }

    /**
     * The same ring with nothing in it.
     *
     * @param handoff shared
     * @param place the thread's
     * @param control says when to stop
     */
    @Benchmark
    @Group("ring")
    @GroupThreads(1)
    @OperationsPerInvocation(BATCH)
    public void fill(Handoff handoff, Place place, Control control) {
        if (handoff.await(place.slot, false, control)) {
            handoff.mark(place.advance(), 1);
        }
    }

    /**
     * The other end of that ring.
     *
     * @param handoff shared
     * @param place the thread's
     * @param control says when to stop
     */
    @Benchmark
    @Group("ring")
    @GroupThreads(1)
    @OperationsPerInvocation(BATCH)
    public void empty(Handoff handoff, Place place, Control control) {
        if (handoff.await(place.slot, true, control)) {
            handoff.mark(place.advance(), 0);
        }
    }
}

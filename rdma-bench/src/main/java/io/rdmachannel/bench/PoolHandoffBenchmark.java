// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
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
 * What does it cost when one thread acquires and another releases? The figure is the time per buffer of the slower
 * side, with the ring between the two included; {@code ring} is the ring alone. Target: 80 ns.
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

    /** The ring between the threads, and the pool. */
    @State(Scope.Group)
    public static class Handoff {
        private static final int SLOTS = 1024;

        private final AtomicReferenceArray<Object> ring = new AtomicReferenceArray<>(SLOTS);
        private final Object token = new Object();
        private RegisteredMemoryPool pool;

        private int head;
        private int[] tailAway = new int[64];

        /** Makes the pool. */
        @Setup(Level.Trial)
        public void open() {
            pool = BenchmarkPools.unregistered();
        }

        /** Empties the ring and closes the pool, which proves that all came back. */
        @TearDown(Level.Trial)
        public void close() {
            for (int i = 0; i < SLOTS; i++) {
                if (ring.get(i) instanceof Lease lease) {
                    lease.release();
                }
            }
            pool.close();
        }

        /** On a machine that has other things to do, whoever waits must let the other side run. */
        private static void pause(int spins) {
            if (spins < 1000) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }

        private boolean offer(Object value, Control control) {
            for (int spins = 0; ring.getAcquire(head) != null; spins++) {
                if (control.stopMeasurement) {
                    return false;
                }
                pause(spins);
            }
            ring.setRelease(head, value);
            head = (head + 1) & (SLOTS - 1);
            return true;
        }

        private Object poll(Control control) {
            int tail = tailAway[32];
            Object value = ring.getAcquire(tail);
            for (int spins = 0; value == null; spins++) {
                if (control.stopMeasurement) {
                    return null;
                }
                pause(spins);
                value = ring.getAcquire(tail);
            }
            ring.setRelease(tail, null);
            tailAway[32] = (tail + 1) & (SLOTS - 1);
            return value;
        }
    }

    /**
     * Acquires.
     *
     * @param handoff shared
     * @param control says when to stop
     */
    @Benchmark
    @Group("handoff")
    @GroupThreads(1)
    @OperationsPerInvocation(BATCH)
    public void acquire(Handoff handoff, Control control) {
        for (int i = 0; i < BATCH; i++) {
            Lease lease = handoff.pool.acquire(4096);
            if (!handoff.offer(lease, control)) {
                lease.release();
            }
        }
    }

    /**
     * Releases.
     *
     * @param handoff shared
     * @param control says when to stop
     */
    @Benchmark
    @Group("handoff")
    @GroupThreads(1)
    @OperationsPerInvocation(BATCH)
    public void release(Handoff handoff, Control control) {
        for (int i = 0; i < BATCH; i++) {
            if (handoff.poll(control) instanceof Lease lease) {
                lease.release();
            }
        }
    }

    /**
     * The same ring with an object that costs nothing.
     *
     * @param handoff shared
     * @param control says when to stop
     */
    @Benchmark
    @Group("ring")
    @GroupThreads(1)
    @OperationsPerInvocation(BATCH)
    public void offer(Handoff handoff, Control control) {
        for (int i = 0; i < BATCH; i++) {
            handoff.offer(handoff.token, control);
        }
    }

    /**
     * The other end of that ring.
     *
     * @param handoff shared
     * @param control says when to stop
     */
    @Benchmark
    @Group("ring")
    @GroupThreads(1)
    @OperationsPerInvocation(BATCH)
    public void poll(Handoff handoff, Control control) {
        for (int i = 0; i < BATCH; i++) {
            handoff.poll(control);
        }
    }
}

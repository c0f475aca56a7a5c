// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread's slots while another steals: no buffer is lost, none is in two hands. */
public final class CacheSlotsStress {
    private static final RegisteredMemoryPool POOL = RegisteredMemoryPool.create(PoolConfig.builder()
            .initialBytes(PoolConfig.UNIT_BYTES)
            .locking(MemoryLocking.NONE)
            .leakDetection(LeakDetection.OFF)
            .threadCache(0, 0)
            .build());
    private static final List<Lease> LEASES = List.of(POOL.acquire(64), POOL.acquire(64));

    private CacheSlotsStress() {}

    private static int bits(Lease lease) {
        return lease == null ? 0 : 1 << LEASES.indexOf(lease);
    }

    private static int drain(CacheSlots slots) {
        Lease[] into = new Lease[4];
        int bits = 0;
        for (int i = slots.steal(into) - 1; i >= 0; i--) {
            bits += bits(into[i]);
        }
        return bits;
    }

    /** The owner takes one of two while all are stolen: each is with exactly one of the three. */
    @JCStressTest
    @State
    @Outcome(id = {"2, 1, 0", "1, 2, 0", "0, 3, 0", "2, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "each once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost or twice")
    public static class TakeAndSteal {
        private final CacheSlots slots = new CacheSlots(4);

        /** Begins with two. */
        public TakeAndSteal() {
            LEASES.forEach(slots::put);
        }

        /** The owner. */
        @Actor
        public void owner(III_Result result) {
            result.r1 = bits(slots.take());
        }

        /** The thief. */
        @Actor
        public void thief(III_Result result) {
            result.r2 = drain(slots);
        }

        /** What is left. */
        @Arbiter
        public void end(III_Result result) {
            result.r3 = drain(slots);
        }
    }

    /** The owner takes one and puts it back while all are stolen. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 3, 0", "0, 1, 2", "0, 2, 1"}, expect = Expect.ACCEPTABLE, desc = "each once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost or twice")
    public static class TakePutAndSteal {
        private final CacheSlots slots = new CacheSlots(4);

        /** Begins with two. */
        public TakePutAndSteal() {
            LEASES.forEach(slots::put);
        }

        /** The owner. */
        @Actor
        public void owner(III_Result result) {
            Lease lease = slots.take();
            if (lease != null) {
                slots.put(lease);
            }
            result.r1 = 0;
        }

        /** The thief. */
        @Actor
        public void thief(III_Result result) {
            result.r2 = drain(slots);
        }

        /** What is left. */
        @Arbiter
        public void end(III_Result result) {
            result.r3 = drain(slots);
        }
    }

    /** Two thieves at once. */
    @JCStressTest
    @State
    @Outcome(id = {"3, 0, 0", "0, 3, 0", "1, 2, 0", "2, 1, 0"}, expect = Expect.ACCEPTABLE, desc = "each once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost or twice")
    public static class TwoThieves {
        private final CacheSlots slots = new CacheSlots(4);

        /** Begins with two. */
        public TwoThieves() {
            LEASES.forEach(slots::put);
        }

        /** One. */
        @Actor
        public void first(III_Result result) {
            result.r1 = drain(slots);
        }

        /** The other. */
        @Actor
        public void second(III_Result result) {
            result.r2 = drain(slots);
        }

        /** What is left. */
        @Arbiter
        public void end(III_Result result) {
            result.r3 = drain(slots);
        }
    }
}

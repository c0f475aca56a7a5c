// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * Mapped and registered memory, divided into units that spans are made of. All but the final fields is guarded by the
 * lock of {@link Slabs}.
 */
final class Slab {
    private final PoolConfig config;
    private final SlabMemory memory;
    private final BitSet usedUnits = new BitSet();
    private final int unitCount;
    private Registrations registrations;
    /** Of the first registrar. Leases read the keys without the lock, and often. */
    private int localKey;

    private int remoteKey;

    /**
     * Maps and registers; when that fails, what was done is undone.
     *
     * @param registered whether it is registered now, or later
     */
    Slab(PoolConfig config, long bytes, boolean registered) {
        this.config = config;
        this.memory = SlabMemory.of(config, bytes);
        this.unitCount = (int) (bytes / PoolConfig.UNIT_BYTES);
        this.registrations = Registrations.none(config.registrars());
        try {
            if (registered) {
                register();
            }
        } catch (RuntimeException | Error failed) {
            freeAfter(failed);
            throw failed;
        }
    }

    MemorySegment segment() {
        return memory.segment();
    }

    long byteSize() {
        return memory.segment().byteSize();
    }

    Placement placement() {
        return memory.placement();
    }

    int localKey() {
        return localKey;
    }

    int remoteKey() {
        return remoteKey;
    }

    int localKey(int registrar) {
        return registrations.localKey(registrar);
    }

    int remoteKey(int registrar) {
        return registrations.remoteKey(registrar);
    }

    int registrationCount() {
        return registrations.count();
    }

    long registrationNanos() {
        return registrations.nanos();
    }

    /** Registers what is not registered. */
    void register() {
        use(new Registrations(config.registrars(), memory.segment(), config.name()));
    }

    /** Takes the registration back. When that is refused all stays as it is, and it can be repeated. */
    void deregister() {
        registrations.close();
        use(Registrations.none(config.registrars()));
    }

    /** Takes neighbouring units; returns the first one's number, or -1. */
    int takeUnits(int count) {
        int first = usedUnits.nextClearBit(0);
        while (first + count <= unitCount) {
            int used = usedUnits.nextSetBit(first);
            if (used < 0 || used >= first + count) {
                usedUnits.set(first, first + count);
                return first;
            }
            first = usedUnits.nextClearBit(used);
        }
        return -1;
    }

    void giveUnits(int first, int count) {
        usedUnits.clear(first, first + count);
    }

    boolean isIdle() {
        return usedUnits.isEmpty();
    }

    int idleUnits() {
        return unitCount - usedUnits.cardinality();
    }

    /** Deregisters, then unmaps. When a step is refused the rest stays as it is, and free can be repeated. */
    void free() {
        registrations.close();
        memory.free();
    }

    private void use(Registrations present) {
        registrations = present;
        localKey = present.localKey(0);
        remoteKey = present.remoteKey(0);
    }

    private void freeAfter(Throwable failed) {
        try {
            memory.free();
        } catch (RuntimeException alsoFailed) {
            failed.addSuppressed(alsoFailed);
        }
    }
}

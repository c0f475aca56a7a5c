// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * Mapped and registered memory, divided into units that spans are made of. All but the final fields is guarded by the
 * lock of {@link Slabs}.
 */
final class Slab {
    private final SlabMemory memory;
    private final Registrations registrations;
    private final BitSet usedUnits = new BitSet();
    private final int unitCount;

    /** Maps and registers; when that fails, what was done is undone. */
    Slab(PoolConfig config, long bytes) {
        this.memory = SlabMemory.of(config, bytes);
        this.unitCount = (int) (bytes / PoolConfig.UNIT_BYTES);
        try {
            this.registrations = new Registrations(config.registrars(), memory.segment(), config.name());
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

    private void freeAfter(Throwable failed) {
        try {
            memory.free();
        } catch (RuntimeException alsoFailed) {
            failed.addSuppressed(alsoFailed);
        }
    }
}

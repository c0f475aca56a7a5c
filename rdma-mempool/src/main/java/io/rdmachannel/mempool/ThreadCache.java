// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What one thread keeps for itself, by size class. Refers to no pool, so that a pool can be collected while threads
 * that used it live on.
 */
final class ThreadCache {
    private final AtomicReferenceArray<CacheSlots> byClass;
    private final WeakReference<Thread> owner = new WeakReference<>(Thread.currentThread());
    private final Lease[] scratch;
    private int refills;

    ThreadCache(int classCount, int scratchCapacity) {
        this.byClass = new AtomicReferenceArray<>(classCount);
        this.scratch = new Lease[scratchCapacity];
    }

    /** The slots of a class, or null when the owner has not used it yet. */
    CacheSlots slots(int classIndex) {
        return byClass.getAcquire(classIndex);
    }

    CacheSlots addSlots(int classIndex, int capacity) {
        CacheSlots slots = new CacheSlots(capacity);
        byClass.setRelease(classIndex, slots);
        return slots;
    }

    /** Room for buffers on their way; owner only. */
    Lease[] scratch() {
        return scratch;
    }

    /** Counts refills, so that some of them can be looked at; owner only. */
    int nextRefill() {
        return refills++;
    }

    boolean isOrphaned() {
        Thread thread = owner.get();
        return thread == null || !thread.isAlive();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The buffers of one size class that one thread keeps for itself. Its owner takes and puts at the upper end without a
 * lock; other threads may steal from any slot when the pool runs out. A slot changes hands by one atomic exchange, so a
 * buffer is never in two hands; only the owner puts, and only into slots from {@link #count} up, which are empty.
 */
final class CacheSlots {
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Lease[].class);

    private final long ownerId = Thread.currentThread().threadId();
    private final Lease[] slots;
    /** The owner's: what is not stolen lies below. */
    private int count;

    /** Makes slots whose owner is the calling thread. */
    CacheSlots(int capacity) {
        this.slots = new Lease[capacity];
    }

    int capacity() {
        return slots.length;
    }

    boolean isMine() {
        return Thread.currentThread().threadId() == ownerId;
    }

    /** Takes the buffer that was put last, or null; owner only. */
    Lease take() {
        int top = count;
        while (top > 0) {
            top--;
            Lease lease = (Lease) SLOTS.getAndSet(slots, top, (Lease) null);
            if (lease != null) {
                count = top;
                return lease;
            }
        }
        count = 0;
        return null;
    }

    /** Puts a buffer; owner only. Returns false when full. */
    boolean put(Lease lease) {
        int top = count;
        if (top == slots.length) {
            return false;
        }
        SLOTS.setRelease(slots, top, lease);
        count = top + 1;
        return true;
    }

    /** Steals all buffers into an array of at least the capacity; any thread. Returns how many. */
    int steal(Lease[] into) {
        int stolen = 0;
        for (int i = 0; i < slots.length; i++) {
            if (SLOTS.getOpaque(slots, i) == null) {
                continue;
            }
            Lease lease = (Lease) SLOTS.getAndSet(slots, i, (Lease) null);
            if (lease != null) {
                into[stolen++] = lease;
            }
        }
        return stolen;
    }

    /** Counts the buffers, about; any thread. */
    int size() {
        int size = 0;
        for (int i = 0; i < slots.length; i++) {
            if (SLOTS.getOpaque(slots, i) != null) {
                size++;
            }
        }
        return size;
    }
}

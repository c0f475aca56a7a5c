// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;

/**
 * Neighbouring units of a slab, carved into buffers of one size class; or the whole slab of an oversize buffer. Keeps
 * the leases that are free. The free list is guarded by the lock of the {@link SharedList} that the span is in.
 */
final class Span {
    private final Slab slab;
    private final int firstUnit;
    private final int unitCount;
    private final int classIndex;
    private final long stride;
    private final long headroomStride;
    private final Lease[] free;
    private final LeaseReference[] references;
    private int freeCount;

    /**
     * Carves.
     *
     * @param leases what the leases share
     * @param slab where the units are
     * @param firstUnit the first unit's number
     * @param shape which buffers, and how many
     */
    Span(LeaseContext leases, Slab slab, int firstUnit, SpanShape shape) {
        this.slab = slab;
        this.firstUnit = firstUnit;
        this.unitCount = shape.unitCount();
        this.classIndex = shape.classIndex();
        this.stride = shape.stride();
        this.headroomStride = shape.headroomStride();
        this.free = new Lease[shape.bufferCount()];
        this.references = leases.tracker().isOff() ? null : new LeaseReference[free.length];
        // The last is handed out first.
        for (int position = free.length - 1; position >= 0; position--) {
            free[freeCount++] = new Lease(leases, this, position);
        }
    }

    Slab slab() {
        return slab;
    }

    int firstUnit() {
        return firstUnit;
    }

    int unitCount() {
        return unitCount;
    }

    int classIndex() {
        return classIndex;
    }

    int bufferCount() {
        return free.length;
    }

    int freeCount() {
        return freeCount;
    }

    boolean isIdle() {
        return freeCount == free.length;
    }

    Lease pop() {
        Lease lease = free[--freeCount];
        free[freeCount] = null;
        return lease;
    }

    void push(Lease lease) {
        free[freeCount++] = lease;
    }

    /** The payload of a position. */
    MemorySegment payload(int position) {
        return slab.segment().asSlice(offset(position) + headroomStride, stride - headroomStride);
    }

    /** The bytes right in front of a position's payload. */
    MemorySegment headroom(int position, int bytes) {
        return slab.segment().asSlice(offset(position) + headroomStride - bytes, bytes);
    }

    /** Both of them. */
    MemorySegment whole(int position, int headroomBytes) {
        long begin = offset(position) + headroomStride - headroomBytes;
        return slab.segment().asSlice(begin, headroomBytes + stride - headroomStride);
    }

    /** Lets a lease's end be noticed; null when nobody wants to know. */
    LeaseReference track(Lease lease, int position, LeakTracker tracker) {
        if (references == null) {
            return null;
        }
        LeaseReference reference = new LeaseReference(lease, this, position, tracker.queue());
        references[position] = reference;
        return reference;
    }

    /** The units go back to the slab: the leases may be collected, and that is no leak. */
    void forget() {
        if (references != null) {
            for (LeaseReference reference : references) {
                reference.clear();
            }
        }
    }

    boolean isCurrent(LeaseReference reference) {
        return references[reference.position()] == reference;
    }

    /** Names the buffers that are out; the lock must be held. */
    void describeOut(List<String> descriptions, int limit) {
        BitSet home = new BitSet();
        for (int i = 0; i < freeCount; i++) {
            home.set(free[i].position());
        }
        int position = home.nextClearBit(0);
        while (position < free.length && descriptions.size() < limit) {
            LeaseReference reference = references == null ? null : references[position];
            descriptions.add(Bytes.text(stride - headroomStride) + " at 0x"
                    + Long.toHexString(payload(position).address())
                    + LeaseReference.describe(reference));
            position = home.nextClearBit(position + 1);
        }
    }

    private long offset(int position) {
        return firstUnit * PoolConfig.UNIT_BYTES + position * stride;
    }
}

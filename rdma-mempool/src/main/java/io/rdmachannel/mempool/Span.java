// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;

/**
 * Neighbouring units of a slab, carved into buffers of one size class; or the whole slab of an oversize buffer. It
 * knows none of its leases, so that a lost one can be noticed.
 */
final class Span {
    private final Slab slab;
    private final int firstUnit;
    private final int unitCount;
    private final int classIndex;
    private final long stride;
    private final long headroomStride;
    private final int bufferCount;
    private final LeaseReference[] references;

    /**
     * Carves.
     *
     * @param slab where the units are
     * @param firstUnit the first unit's number
     * @param shape which buffers, and how many
     * @param tracked whether lost leases are looked for
     */
    Span(Slab slab, int firstUnit, SpanShape shape, boolean tracked) {
        this.slab = slab;
        this.firstUnit = firstUnit;
        this.unitCount = shape.unitCount();
        this.classIndex = shape.classIndex();
        this.stride = shape.stride();
        this.headroomStride = shape.headroomStride();
        this.bufferCount = shape.bufferCount();
        this.references = tracked ? new LeaseReference[bufferCount] : null;
    }

    /** Makes the leases, once; the first buffer's is the last, which is handed out first. */
    Lease[] leases(LeaseContext context) {
        Lease[] leases = new Lease[bufferCount];
        for (int i = 0; i < bufferCount; i++) {
            leases[i] = new Lease(context, this, bufferCount - 1 - i);
        }
        return leases;
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
        return bufferCount;
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

    /** The leases may be collected from now on, and that is no leak; until now the caller keeps them. Any thread. */
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

    /** Names the buffers that are out, which are all but those whose positions are given. */
    void describeOut(BitSet home, List<String> descriptions, int limit) {
        int position = home.nextClearBit(0);
        while (position < bufferCount && descriptions.size() < limit) {
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

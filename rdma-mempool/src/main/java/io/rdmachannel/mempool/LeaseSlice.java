// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;

/**
 * A part of a lease, with one reference to it. Any thread may use and release it; none of its methods blocks.
 */
public final class LeaseSlice extends ReferenceCounted implements RegisteredBuffer {
    private final Lease lease;
    private final long offset;
    private final MemorySegment segment;

    LeaseSlice(Lease lease, long offset, long bytes) {
        this.lease = lease;
        this.offset = offset;
        this.segment = lease.segment().asSlice(offset, bytes);
        begin();
    }

    @Override
    public MemorySegment segment() {
        checkUse();
        return segment;
    }

    @Override
    public long address() {
        checkUse();
        return segment.address();
    }

    @Override
    public long length() {
        return segment.byteSize();
    }

    /**
     * Gives the place in the lease.
     *
     * @return bytes from the payload's beginning
     */
    public long offset() {
        return offset;
    }

    @Override
    public int localKey() {
        checkUse();
        return lease.localKey();
    }

    @Override
    public int remoteKey() {
        checkUse();
        return lease.remoteKey();
    }

    /**
     * Gives the pool.
     *
     * @return the pool that the lease belongs to
     */
    public RegisteredMemoryPool pool() {
        return lease.pool();
    }

    /**
     * Counts the references to the slice.
     *
     * @return how many there are now; 0 when released
     */
    public int referenceCount() {
        return references();
    }

    /**
     * Adds a reference to the slice; each needs a {@link #release} of its own.
     *
     * @return this slice
     * @throws IllegalStateException if it has been released
     */
    public LeaseSlice retain() {
        addReference();
        return this;
    }

    /**
     * Drops a reference; with the last one the slice's hold on the lease ends.
     *
     * @throws IllegalStateException if it has been released already
     */
    public void release() {
        if (dropReference()) {
            lease.release();
        }
    }

    @Override
    public String toString() {
        return "slice of " + segment.byteSize() + " bytes at " + offset + " of " + lease;
    }

    @Override
    IllegalStateException released(String use) {
        return new IllegalStateException("a " + this + " was " + use + " after it had been released already");
    }

    private void checkUse() {
        if (references() <= 0) {
            throw released("used");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A buffer of a {@link RegisteredMemoryPool}, for as long as somebody has it. Begins with one reference; the buffer
 * goes back when the last one is released.
 *
 * <p>The same object is handed out again and again, so it must not be touched after its release: an accessor may then
 * describe somebody else's buffer, and a second release is an error as long as the buffer is free, but takes it away
 * from the next holder once it is not. {@link PoolConfig.Builder#checkedUse} finds every such mistake.
 *
 * <p>Methods may be called by any thread; none blocks. The bytes themselves are not synchronised, and not cleared.
 */
public final class Lease extends ReferenceCounted implements RegisteredBuffer {
    private final LeaseContext context;
    private final Span span;
    private final int position;
    private final int classIndex;
    private final MemorySegment segment;
    private final MemorySegment headroom;
    private final long address;
    private final Slab slab;
    private final boolean checkedUse;
    private final LeaseReference reference;

    private long length;
    /** The slots it was taken from, which the thread that has it in hand may own. */
    private CacheSlots home;
    /** Whether the reference remembers a stack, which is then out of date at the next acquire. */
    private boolean traced;
    /** Whose stock it belongs to; changed only by whoever has the lease alone. */
    private Claim claim;
    /** In the checked mode: where it was released, and where the buffer was released the last time before. */
    private Throwable releasedAt;

    private Throwable lastRelease;

    Lease(LeaseContext context, Span span, int position) {
        this.context = context;
        this.span = span;
        this.position = position;
        this.classIndex = span.classIndex();
        this.segment = span.payload(position);
        this.headroom = span.headroom(position, context.headroomBytes());
        this.address = segment.address();
        this.slab = span.slab();
        this.checkedUse = context.checkedUse();
        this.reference = span.track(this, position, context.tracker());
    }

    /**
     * Gives the payload's memory: all of it, up to {@link #capacity()}.
     *
     * @return the segment, the same at every call
     */
    @Override
    public MemorySegment segment() {
        checkUse();
        return segment;
    }

    @Override
    public long address() {
        checkUse();
        return address;
    }

    /**
     * Gives the length that was asked for, or was set since.
     *
     * @return bytes, 0 to {@link #capacity()}
     */
    @Override
    public long length() {
        checkUse();
        return length;
    }

    /**
     * Sets how many bytes count. Not synchronised: for the one thread that has the buffer in hand.
     *
     * @param bytes 0 to {@link #capacity()}
     * @throws IndexOutOfBoundsException if out of range
     */
    public void length(long bytes) {
        checkUse();
        Objects.checkFromIndexSize(0, bytes, capacity());
        length = bytes;
    }

    /**
     * Gives the room for the payload.
     *
     * @return bytes, at least what was asked for
     */
    public long capacity() {
        return segment.byteSize();
    }

    /**
     * Gives the memory right in front of the payload, with the same keys.
     *
     * @return the segment; of 0 bytes when the pool has no headroom
     */
    public MemorySegment headroom() {
        checkUse();
        return headroom;
    }

    /**
     * Gives the address of the headroom's first byte: one work request from here reaches headroom and payload.
     *
     * @return the address, {@link #address()} minus the headroom's size
     */
    public long headroomAddress() {
        checkUse();
        return headroom.address();
    }

    @Override
    public int localKey() {
        checkUse();
        return slab.localKey();
    }

    /**
     * Gives the local key for another registrar than the first.
     *
     * @param registrar its position in the configuration, from 0
     * @return the lkey
     * @throws IndexOutOfBoundsException if there is no such registrar
     */
    public int localKey(int registrar) {
        checkUse();
        return slab.localKey(registrar);
    }

    @Override
    public int remoteKey() {
        checkUse();
        return slab.remoteKey();
    }

    /**
     * Gives the remote key for another registrar than the first.
     *
     * @param registrar its position in the configuration, from 0
     * @return the rkey
     * @throws IndexOutOfBoundsException if there is no such registrar
     */
    public int remoteKey(int registrar) {
        checkUse();
        return slab.remoteKey(registrar);
    }

    /**
     * Adds a reference, for one more holder such as an operation in flight; each needs a {@link #release} of its own.
     *
     * @return this lease
     * @throws IllegalStateException if it has been released
     */
    public Lease retain() {
        addReference();
        return this;
    }

    /**
     * Drops a reference; with the last one the buffer goes back to its pool.
     *
     * @throws IllegalStateException if it has been released already
     */
    public void release() {
        if (checkedUse ? dropReference() : dropReferenceUnlessMisused()) {
            context.pool().recycle(this);
        }
    }

    /**
     * Takes a part, with a reference of its own: the buffer goes back when lease and slices have all been released.
     *
     * @param offset where the part begins
     * @param bytes how long it is
     * @return the slice
     * @throws IndexOutOfBoundsException if the part is not within the capacity
     * @throws IllegalStateException if the lease has been released
     */
    public LeaseSlice slice(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, capacity());
        return new LeaseSlice(retain(), offset, bytes);
    }

    /**
     * Counts the references.
     *
     * @return how many there are now; 0 when released
     */
    public int referenceCount() {
        return references();
    }

    /**
     * Gives the pool.
     *
     * @return the pool that the buffer belongs to
     */
    public RegisteredMemoryPool pool() {
        return context.pool();
    }

    @Override
    public String toString() {
        return "lease of " + Bytes.text(capacity()) + " at 0x" + Long.toHexString(address) + " of " + context.pool()
                + " with " + references() + " references";
    }

    /** Handed out; the caller has it alone. */
    Lease begin(long bytes) {
        if (traced) {
            reference.forgetAcquisition();
            traced = false;
        }
        length = bytes;
        begin();
        return this;
    }

    /**
     * Brings what changes of the lease into this processor's cache; the caller has it alone. After another thread's
     * release it lies in that one's. Fetching many at once takes little longer than one, while each acquire that comes
     * to it by itself has to wait.
     */
    void fetch() {
        length = 0;
    }

    /** Remembers where it was handed out; called by whoever has just got it. */
    void trace() {
        if (reference != null) {
            reference.rememberAcquisition();
            traced = true;
        }
    }

    CacheSlots home() {
        return home;
    }

    void home(CacheSlots slots) {
        // It is nearly always the same, and a store of a reference costs more than a look.
        if (home != slots) {
            home = slots;
        }
    }

    /** Its size class, or -1 when oversize. */
    int classIndex() {
        return classIndex;
    }

    Span span() {
        return span;
    }

    int position() {
        return position;
    }

    Claim claim() {
        return claim;
    }

    void claim(Claim value) {
        claim = value;
    }

    /** A new object for the same buffer; this one stays released for ever. */
    Lease successor() {
        releasedAt = new Throwable("released here");
        if (reference != null) {
            reference.clear();
        }
        Lease next = new Lease(context, span, position);
        next.claim = claim;
        next.lastRelease = releasedAt;
        return next;
    }

    /** Null when the buffer is used for the first time. */
    Throwable lastRelease() {
        return lastRelease;
    }

    /** Headroom and payload, which are neighbours. */
    MemorySegment whole() {
        return span.whole(position, context.headroomBytes());
    }

    @Override
    IllegalStateException released(String use) {
        String how = checkedUse ? "see the cause for its release" : "use PoolConfig.checkedUse(true) to see where";
        return new IllegalStateException(
                this + " was " + use + " after it had been released already; " + how, releasedAt);
    }

    private void checkUse() {
        if (checkedUse && references() <= 0) {
            throw released("used");
        }
    }
}

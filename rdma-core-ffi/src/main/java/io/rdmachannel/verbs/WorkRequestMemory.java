// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.NativeMemory;
import io.rdmachannel.ffi.generated.ibverbs.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * The native memory of a fixed number of work requests: per slot the request, its scatter/gather elements and its
 * inline bytes, laid out once. The slots are linked in their order, so that a run of them is a chain.
 */
final class WorkRequestMemory {
    static final int SLOTS_MAX = 1 << 16;
    static final int SCATTER_GATHER_MAX = 256;
    static final int INLINE_MAX = 1 << 16;
    private static final long ALIGNMENT = 64;
    private static final long SGE_SIZE = ibv_sge.sizeof();

    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(WorkRequestMemory.class, "owner", Thread.class);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError("a field of this class", impossible);
        }
    }

    private final MemorySegment memory;
    private final long base;
    private final int slots;
    private final int scatterGather;
    private final int inlineBytes;
    private final long stride;
    private final long requestSize;
    private final long nextOffset;
    private Thread owner;

    WorkRequestMemory(int slots, int scatterGather, int inlineBytes, long requestSize, long nextOffset) {
        Ranges.require("slots", slots, 1, SLOTS_MAX);
        Ranges.require("scatterGather", scatterGather, 0, SCATTER_GATHER_MAX);
        Ranges.require("inlineBytes", inlineBytes, 0, INLINE_MAX);
        this.slots = slots;
        this.scatterGather = scatterGather;
        this.inlineBytes = inlineBytes;
        this.requestSize = requestSize;
        this.nextOffset = nextOffset;
        this.stride = roundUp(requestSize + scatterGather * SGE_SIZE + inlineBytes);
        this.memory = Arena.ofAuto().allocate(stride * slots + Long.BYTES, ALIGNMENT);
        this.base = memory.address();
        for (int slot = 0; slot + 1 < slots; slot++) {
            link(slot, address(slot + 1));
        }
    }

    int slots() {
        return slots;
    }

    /** Checks the thread and the number of a slot. */
    int check(int slot) {
        requireOwner();
        return Objects.checkIndex(slot, slots);
    }

    /** Checks the thread and the number of a slot, and gives the address of its request. */
    long request(int slot) {
        return address(check(slot));
    }

    /** Sets a field of a request whose address {@link #request} has given. */
    void set(long request, long field, long value) {
        NativeMemory.putLong(request + field, value);
        Reference.reachabilityFence(this);
    }

    /** Sets a field of a request whose address {@link #request} has given. */
    void set(long request, long field, int value) {
        NativeMemory.putInt(request + field, value);
        Reference.reachabilityFence(this);
    }

    /** Adds bits to a field of a request whose address {@link #request} has given. */
    void addBits(long request, long field, int bits) {
        NativeMemory.putInt(request + field, NativeMemory.getInt(request + field) | bits);
        Reference.reachabilityFence(this);
    }

    /** Copies bytes to where those begin that a request carries itself; the caller has checked that they fit. */
    void copyInline(int slot, int position, MemorySegment source, long offset, int length) {
        NativeMemory.copy(source, offset, inlineAddress(slot) + position, length);
        Reference.reachabilityFence(this);
    }

    /** A plain read is enough: only the owner itself gives the row away, so whoever sees itself as the owner is it. */
    void requireOwner() {
        Thread current = Thread.currentThread();
        if (owner != current) {
            takeOver(current);
        }
    }

    void handOver(Thread newOwner) {
        Objects.requireNonNull(newOwner, "newOwner");
        requireOwner();
        owner = newOwner;
    }

    int scatterGather() {
        return scatterGather;
    }

    int inlineBytes() {
        return inlineBytes;
    }

    MemorySegment memory() {
        return memory;
    }

    long offset(int slot) {
        return slot * stride;
    }

    long address(int slot) {
        return base + slot * stride;
    }

    long elementOffset(int slot, int element) {
        return slot * stride + requestSize + element * SGE_SIZE;
    }

    long elementAddress(int slot) {
        return base + elementOffset(slot, 0);
    }

    long inlineAddress(int slot) {
        return base + elementOffset(slot, scatterGather);
    }

    long badPointerAddress() {
        return base + stride * slots;
    }

    /** Ends the chain behind a slot, posts being made from the slots before it. */
    void cutAfter(int slot) {
        link(slot, 0);
    }

    void restoreAfter(int slot) {
        if (slot + 1 < slots) {
            link(slot, address(slot + 1));
        }
    }

    /** The slot that the provider named as the first one not posted, or the fallback when it named none of ours. */
    int badSlot(int fallback) {
        long distance = NativeMemory.getLong(badPointerAddress()) - base;
        boolean ours = distance >= 0 && distance < stride * slots && distance % stride == 0;
        return ours ? (int) (distance / stride) : fallback;
    }

    void setElement(int slot, int element, long address, int length, int localKey) {
        long piece = base + elementOffset(slot, Objects.checkIndex(element, scatterGather));
        set(piece, ibv_sge.addr$offset(), address);
        set(piece, ibv_sge.length$offset(), length);
        set(piece, ibv_sge.lkey$offset(), localKey);
    }

    /** A row without an owner, or whose owner has ended, is anybody's. */
    private void takeOver(Thread current) {
        Thread found = (Thread) OWNER.getVolatile(this);
        boolean free = found == null || found == current || found.getState() == Thread.State.TERMINATED;
        if (!free || !OWNER.compareAndSet(this, found, current)) {
            throw new WrongThreadException("the row of work requests belongs to another thread than '"
                    + current.getName() + "'. Hand it over first, or make a row for each thread.");
        }
    }

    private void link(int slot, long next) {
        set(address(slot), nextOffset, next);
    }

    private static long roundUp(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}

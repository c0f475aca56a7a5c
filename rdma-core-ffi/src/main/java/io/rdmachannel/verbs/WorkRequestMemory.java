// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

    private final MemorySegment memory;
    private final MemorySegment badPointer;
    private final int slots;
    private final int scatterGather;
    private final int inlineBytes;
    private final long stride;
    private final long requestSize;
    private final long nextOffset;

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
        this.memory = Arena.ofAuto().allocate(stride * slots, ALIGNMENT);
        this.badPointer = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        for (int slot = 0; slot + 1 < slots; slot++) {
            link(slot, address(slot + 1));
        }
    }

    int slots() {
        return slots;
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
        return memory.address() + slot * stride;
    }

    long elementOffset(int slot, int element) {
        return slot * stride + requestSize + element * SGE_SIZE;
    }

    long elementAddress(int slot) {
        return memory.address() + elementOffset(slot, 0);
    }

    long inlineOffset(int slot) {
        return elementOffset(slot, scatterGather);
    }

    long badPointerAddress() {
        return badPointer.address();
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
        long distance = badPointer.get(ValueLayout.JAVA_LONG, 0) - memory.address();
        boolean ours = distance >= 0 && distance < stride * slots && distance % stride == 0;
        return ours ? (int) (distance / stride) : fallback;
    }

    void setElement(int slot, int element, long address, int length, int localKey) {
        long offset = elementOffset(slot, Objects.checkIndex(element, scatterGather));
        memory.set(ValueLayout.JAVA_LONG, offset + ibv_sge.addr$offset(), address);
        memory.set(ValueLayout.JAVA_INT, offset + ibv_sge.length$offset(), length);
        memory.set(ValueLayout.JAVA_INT, offset + ibv_sge.lkey$offset(), localKey);
    }

    private void link(int slot, long next) {
        memory.set(ValueLayout.JAVA_LONG, offset(slot) + nextOffset, next);
    }

    private static long roundUp(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_recv_wr;

/**
 * A fixed row of receive work requests in native memory ({@code ibv_post_recv(3)}), filled in place and posted one or
 * several in a row. The provider copies a request when it is posted, so a slot can be filled anew at once; the memory
 * that it names must stay until the completion.
 *
 * <p>A row belongs to the thread that uses it first, until that hands it over or ends; other threads get a
 * {@link WrongThreadException} from every method that fills or posts. Nothing to close: the memory is managed by the
 * garbage collector.
 */
public final class ReceiveWorkRequests {
    private final WorkRequestMemory memory;
    private final int[] elements;
    private int firstRejected = -1;

    private ReceiveWorkRequests(WorkRequestMemory memory) {
        this.memory = memory;
        this.elements = new int[memory.slots()];
        for (int slot = 0; slot < memory.slots(); slot++) {
            memory.set(memory.address(slot), ibv_recv_wr.sg_list$offset(), memory.elementAddress(slot));
        }
    }

    /**
     * Makes a row of empty requests.
     *
     * @param slots how many, from 1 to 65,536
     * @param scatterGather how many pieces of memory each can name, from 0 to 256
     * @return the row
     * @throws IllegalArgumentException if out of range
     * @throws RdmaUnavailableException if verbs cannot be used in this process
     */
    public static ReceiveWorkRequests allocate(int slots, int scatterGather) {
        Verbs.ensureAvailable();
        return new ReceiveWorkRequests(
                new WorkRequestMemory(slots, scatterGather, 0, ibv_recv_wr.sizeof(), ibv_recv_wr.next$offset()));
    }

    /**
     * Gives the length of the row.
     *
     * @return how many requests it has
     */
    public int slots() {
        return memory.slots();
    }

    /**
     * Sets the number that the completion will carry, and forgets the pieces of memory named before.
     *
     * @param slot which request
     * @param workRequestId any 64 bits
     * @return this
     * @throws IndexOutOfBoundsException if there is no such slot
     */
    public ReceiveWorkRequests begin(int slot, long workRequestId) {
        long request = memory.request(slot);
        memory.set(request, ibv_recv_wr.wr_id$offset(), workRequestId);
        elementCount(slot, request, 0);
        return this;
    }

    /**
     * Adds a piece of a region to what the message is scattered into. A piece of 0 bytes is left out.
     *
     * @param slot which request
     * @param region registered memory with LOCAL_WRITE
     * @param offset where the piece begins in the region
     * @param length bytes, from 0 to 2^32 - 1
     * @return this
     * @throws IndexOutOfBoundsException if the piece is not inside the region, or the slot has no room for another
     */
    public ReceiveWorkRequests add(int slot, MemoryRegion region, long offset, long length) {
        return add(slot, region.addressOf(offset, length), length, region.localKey());
    }

    /**
     * Adds a piece of memory by its address, which the device checks against the key.
     *
     * @param slot which request
     * @param address where the piece begins
     * @param length bytes, from 0 to 2^32 - 1
     * @param localKey the lkey of its region
     * @return this
     * @throws IllegalArgumentException if the length is out of range
     * @throws IndexOutOfBoundsException if the slot has no room for another piece
     */
    public ReceiveWorkRequests add(int slot, long address, long length, int localKey) {
        SendWorkRequests.requireLength(length);
        long request = memory.request(slot);
        if (length > 0) {
            memory.setElement(slot, elements[slot], address, (int) length, localKey);
            elementCount(slot, request, elements[slot] + 1);
        }
        return this;
    }

    /**
     * Gives the row to another thread. The hand-over itself must be visible to the new owner by the usual means.
     *
     * @param newOwner the thread that may use it from now on
     * @throws WrongThreadException if the row belongs to another thread than the caller's
     */
    public void handOver(Thread newOwner) {
        memory.handOver(newOwner);
    }

    /**
     * Says where the last post that was refused stopped.
     *
     * @return the first slot not posted, or -1 when the last post succeeded
     */
    public int firstRejected() {
        return firstRejected;
    }

    WorkRequestMemory memory() {
        return memory;
    }

    /** Returns the largest number of elements among the slots. */
    int largestElementCount(int first, int count) {
        int largest = 0;
        for (int slot = first; slot < first + count; slot++) {
            largest = Math.max(largest, elements[slot]);
        }
        return largest;
    }

    void rejected(int slot) {
        this.firstRejected = slot;
    }

    private void elementCount(int slot, long request, int count) {
        elements[slot] = count;
        memory.set(request, ibv_recv_wr.num_sge$offset(), count);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.NativeMemory;
import io.rdmachannel.ffi.generated.ibverbs.ibv_mw_bind_info;
import io.rdmachannel.ffi.generated.ibverbs.ibv_send_wr;
import io.rdmachannel.ffi.generated.ibverbs.ibv_sge;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A fixed row of send work requests in native memory ({@code ibv_post_send(3)}), filled in place and posted one or
 * several in a row. The provider copies a request when it is posted, inline bytes included, so a slot can be filled
 * anew at once; the registered memory that it names must stay until the completion.
 *
 * <p>{@link #begin} starts a request over; what is not set then is off. A row belongs to the thread that uses it first,
 * until that hands it over or ends; other threads get a {@link WrongThreadException} from every method that fills or
 * posts. Nothing to close: the memory is managed by the garbage collector. None of the methods allocates.
 */
public final class SendWorkRequests {
    private static final long LENGTH_MAX = 0xFFFF_FFFFL;
    private static final int SIGNALED = SendFlag.SIGNALED.bit();
    private static final int INLINE = SendFlag.INLINE.bit();
    private final WorkRequestMemory memory;
    /** Of each slot, see {@link RequestShape}. */
    private final int[] shapes;

    private final AddressHandle[] destinations;
    private final AddressHandle[] held;
    private final WindowBinding[] bindings;
    private int firstRejected = -1;

    private SendWorkRequests(WorkRequestMemory memory) {
        this.memory = memory;
        this.shapes = new int[memory.slots()];
        this.destinations = new AddressHandle[memory.slots()];
        this.held = new AddressHandle[memory.slots()];
        this.bindings = new WindowBinding[memory.slots()];
        for (int slot = 0; slot < memory.slots(); slot++) {
            memory.set(memory.address(slot), ibv_send_wr.sg_list$offset(), memory.elementAddress(slot));
        }
    }

    /**
     * Makes a row of empty requests.
     *
     * @param slots how many, from 1 to 65,536
     * @param scatterGather how many pieces of memory each can name, from 1 to 256
     * @param inlineBytes how many bytes each can carry inline, from 0 to 65,536; what a queue pair takes is less, see
     *     {@link QueuePair#capabilities()}
     * @return the row
     * @throws IllegalArgumentException if out of range
     * @throws RdmaUnavailableException if verbs cannot be used in this process
     */
    public static SendWorkRequests allocate(int slots, int scatterGather, int inlineBytes) {
        Ranges.require("scatterGather", scatterGather, 1, WorkRequestMemory.SCATTER_GATHER_MAX);
        Verbs.ensureAvailable();
        return new SendWorkRequests(new WorkRequestMemory(
                slots, scatterGather, inlineBytes, ibv_send_wr.sizeof(), ibv_send_wr.next$offset()));
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
     * Starts a request over: kind, number, whether its success is told; no memory, no flags but these.
     *
     * @param slot which request
     * @param opcode what kind of work
     * @param workRequestId any 64 bits, which the completion will carry
     * @param signaled whether a completion is wanted on success; failures always give one
     * @return this
     * @throws IndexOutOfBoundsException if there is no such slot
     */
    public SendWorkRequests begin(int slot, WorkRequestOpcode opcode, long workRequestId, boolean signaled) {
        long request = memory.request(slot);
        memory.set(request, ibv_send_wr.wr_id$offset(), workRequestId);
        memory.set(request, ibv_send_wr.opcode$offset(), opcode.raw());
        memory.set(request, ibv_send_wr.send_flags$offset(), signaled ? SIGNALED : 0);
        memory.set(request, ibv_send_wr.num_sge$offset(), 0);
        if (RequestShape.namesHandle(shapes[slot])) {
            destinations[slot] = null;
            bindings[slot] = null;
        }
        shapes[slot] = RequestShape.of(opcode);
        return this;
    }

    /**
     * Switches a flag on.
     *
     * @param slot which request
     * @param flag the flag; INLINE is set by {@link #inline} and by nothing else
     * @return this
     * @throws IllegalArgumentException for INLINE
     */
    public SendWorkRequests flag(int slot, SendFlag flag) {
        if (flag == SendFlag.INLINE) {
            throw new IllegalArgumentException("INLINE is not set by itself: give the bytes to inline(...)");
        }
        memory.addBits(memory.request(slot), ibv_send_wr.send_flags$offset(), flag.bit());
        return this;
    }

    /**
     * Adds a piece of a region to what is sent, or to where a read or an atomic puts its result. A piece of 0 bytes is
     * left out.
     *
     * @param slot which request
     * @param region registered memory
     * @param offset where the piece begins in the region
     * @param length bytes, from 0 to 2^32 - 1
     * @return this
     * @throws IndexOutOfBoundsException if the piece is not inside the region, or the slot has no room for another
     * @throws IllegalStateException if inline bytes were given
     */
    public SendWorkRequests add(int slot, MemoryRegion region, long offset, long length) {
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
     * @throws IllegalStateException if inline bytes were given
     */
    public SendWorkRequests add(int slot, long address, long length, int localKey) {
        requireLength(length);
        long request = memory.request(slot);
        int shape = shapes[slot];
        if (RequestShape.isInline(shape)) {
            throw alreadyInline(slot);
        }
        if (length > 0) {
            int elements = RequestShape.elements(shape);
            memory.setElement(slot, elements, address, (int) length, localKey);
            memory.set(request, ibv_send_wr.num_sge$offset(), elements + 1);
            shapes[slot] = RequestShape.withElements(shape, elements + 1);
        }
        return this;
    }

    /**
     * Lets the request carry bytes itself, without registered memory: they are copied now, and the source is free at
     * once.
     *
     * @param slot which request
     * @param source where the bytes are; any segment
     * @param offset where they begin
     * @param length how many, from 0 to the inline room of this row and of the queue pair
     * @return this
     * @throws IndexOutOfBoundsException if the bytes are not inside the source
     * @throws IllegalArgumentException if they are more than the row's room
     * @throws IllegalStateException if registered memory was added
     */
    public SendWorkRequests inline(int slot, MemorySegment source, long offset, int length) {
        Ranges.require("length", length, 0, memory.inlineBytes());
        long request = memory.request(slot);
        int shape = shapes[slot];
        if (RequestShape.elements(shape) > 0 && !RequestShape.isInline(shape)) {
            throw new IllegalStateException("request " + slot + " names registered memory already; begin it again");
        }
        memory.copyInline(slot, 0, source, offset, length);
        memory.addBits(request, ibv_send_wr.send_flags$offset(), INLINE);
        inlineLength(slot, request, length);
        return this;
    }

    /**
     * Starts a request over, as {@link #begin}, that carries bytes itself. The caller writes all of them to where the
     * answer says, before it posts.
     *
     * @param slot which request
     * @param opcode what kind of work
     * @param workRequestId any 64 bits, which the completion will carry
     * @param signaled whether a completion is wanted on success; failures always give one
     * @param length how many bytes, from 1 to the inline room of this row and of the queue pair
     * @return the address of the first one, in this row's own memory, which lives as long as the row is reachable
     * @throws IndexOutOfBoundsException if there is no such slot
     * @throws IllegalArgumentException if they are more than the row's room
     */
    public long beginInline(int slot, WorkRequestOpcode opcode, long workRequestId, boolean signaled, int length) {
        long request = memory.request(slot);
        Ranges.require("length", length, 1, memory.inlineBytes());
        long bytes = memory.inlineAddress(slot);
        long element = memory.elementAddress(slot);
        NativeMemory.putLong(request + ibv_send_wr.wr_id$offset(), workRequestId);
        NativeMemory.putInt(request + ibv_send_wr.num_sge$offset(), 1);
        NativeMemory.putInt(request + ibv_send_wr.opcode$offset(), opcode.raw());
        NativeMemory.putInt(request + ibv_send_wr.send_flags$offset(), signaled ? INLINE | SIGNALED : INLINE);
        NativeMemory.putLong(element + ibv_sge.addr$offset(), bytes);
        NativeMemory.putInt(element + ibv_sge.length$offset(), length);
        if (RequestShape.namesHandle(shapes[slot])) {
            destinations[slot] = null;
            bindings[slot] = null;
        }
        shapes[slot] = RequestShape.withInline(RequestShape.of(opcode), 1, length);
        Reference.reachabilityFence(memory);
        return bytes;
    }

    /**
     * Says where the bytes are that a request carries itself, to change them before it is posted.
     *
     * @param slot which request
     * @return the address of the first one
     * @throws IllegalStateException if it carries none
     */
    public long inlineAddress(int slot) {
        if (RequestShape.inlineLength(shapes[memory.check(slot)]) == 0) {
            throw new IllegalStateException("request " + slot + " carries no bytes itself");
        }
        return memory.inlineAddress(slot);
    }

    /**
     * Adds bytes behind those that {@link #inline} has given.
     *
     * @param slot which request
     * @param source where the bytes are; any segment
     * @param offset where they begin
     * @param length how many, from 0 to what the inline room of this row has left
     * @return this
     * @throws IndexOutOfBoundsException if the bytes are not inside the source
     * @throws IllegalArgumentException if they are more than the row's room has left
     * @throws IllegalStateException if no inline bytes were given before
     */
    public SendWorkRequests inlineMore(int slot, MemorySegment source, long offset, int length) {
        long request = memory.request(slot);
        int shape = shapes[slot];
        int before = RequestShape.inlineLength(shape);
        Ranges.require("length", length, 0, memory.inlineBytes() - before);
        if (!RequestShape.isInline(shape)) {
            throw new IllegalStateException("request " + slot + " has no inline bytes yet; give the first by inline");
        }
        memory.copyInline(slot, before, source, offset, length);
        inlineLength(slot, request, before + length);
        return this;
    }

    /**
     * Changes bytes that {@link #inline} and {@link #inlineMore} have given, before the request is posted.
     *
     * @param slot which request
     * @param position which of its inline bytes is the first to change
     * @param source where the bytes are; any segment
     * @param offset where they begin
     * @param length how many
     * @return this
     * @throws IndexOutOfBoundsException if the request has no such inline bytes, or the source not so many
     */
    public SendWorkRequests changeInline(int slot, int position, MemorySegment source, long offset, int length) {
        memory.check(slot);
        Objects.checkFromIndexSize(position, length, RequestShape.inlineLength(shapes[slot]));
        memory.copyInline(slot, position, source, offset, length);
        return this;
    }

    /**
     * Names the peer's memory for RDMA read and write.
     *
     * @param slot which request
     * @param address the address that the peer told
     * @param remoteKey the rkey that the peer told
     * @return this
     */
    public SendWorkRequests remote(int slot, long address, int remoteKey) {
        long request = memory.request(slot);
        memory.set(request, ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma.remote_addr$offset(), address);
        memory.set(request, ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma.rkey$offset(), remoteKey);
        return this;
    }

    /**
     * Names the peer's 8 bytes for compare-and-swap, and the values.
     *
     * @param slot which request
     * @param address the address that the peer told, a multiple of 8
     * @param remoteKey the rkey that the peer told
     * @param expected what must be there for the swap to happen
     * @param replacement what is put there then
     * @return this
     * @throws IllegalArgumentException if the address is not a multiple of 8
     */
    public SendWorkRequests compareAndSwap(int slot, long address, int remoteKey, long expected, long replacement) {
        atomic(slot, address, remoteKey, expected);
        set(slot, ibv_send_wr.wr$offset() + ibv_send_wr.wr.atomic.swap$offset(), replacement);
        return this;
    }

    /**
     * Names the peer's 8 bytes for fetch-and-add, and what to add.
     *
     * @param slot which request
     * @param address the address that the peer told, a multiple of 8
     * @param remoteKey the rkey that the peer told
     * @param addend what is added; wraps around
     * @return this
     * @throws IllegalArgumentException if the address is not a multiple of 8
     */
    public SendWorkRequests fetchAndAdd(int slot, long address, int remoteKey, long addend) {
        return atomic(slot, address, remoteKey, addend);
    }

    /**
     * Sets the 32 bits that a request with immediate carries.
     *
     * @param slot which request
     * @param value the number that the receiver will read
     * @return this
     */
    public SendWorkRequests immediate(int slot, int value) {
        set(slot, ibv_send_wr.imm_data$offset(), Integer.reverseBytes(value));
        return this;
    }

    /**
     * Sets the key that is invalidated: the peer's by a send, one's own by LOCAL_INVALIDATE.
     *
     * @param slot which request
     * @param key the rkey
     * @return this
     */
    public SendWorkRequests invalidate(int slot, int key) {
        set(slot, ibv_send_wr.invalidate_rkey$offset(), key);
        return this;
    }

    /**
     * Names the receiver of a datagram.
     *
     * @param slot which request
     * @param destination the resolved destination, to stay open until the completion
     * @param queuePairNumber the receiver's 24-bit number
     * @param queueKey the receiver's queue key
     * @return this
     */
    public SendWorkRequests destination(int slot, AddressHandle destination, int queuePairNumber, int queueKey) {
        Objects.requireNonNull(destination, "destination");
        destinations[memory.check(slot)] = destination;
        shapes[slot] = RequestShape.withDestination(shapes[slot]);
        set(
                slot,
                ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud.ah$offset(),
                destination.handle().address());
        set(slot, ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud.remote_qpn$offset(), queuePairNumber);
        set(slot, ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud.remote_qkey$offset(), queueKey);
        return this;
    }

    /**
     * Names the window of type 2 that the request binds, and to what.
     *
     * @param slot which request
     * @param binding window, key, region, range and rights
     * @return this
     * @throws IllegalArgumentException if the window is not of type 2
     */
    public SendWorkRequests bind(int slot, WindowBinding binding) {
        binding.requireType(MemoryWindowType.TYPE_2);
        bindings[memory.check(slot)] = binding;
        shapes[slot] = RequestShape.withBinding(shapes[slot]);
        set(
                slot,
                ibv_send_wr.bind_mw$offset() + ibv_send_wr.bind_mw.mw$offset(),
                binding.window().handle().address());
        set(slot, ibv_send_wr.bind_mw$offset() + ibv_send_wr.bind_mw.rkey$offset(), binding.remoteKey());
        long bindInfo = ibv_send_wr.bind_mw$offset() + ibv_send_wr.bind_mw.bind_info$offset();
        binding.writeTo(memory.memory().asSlice(memory.offset(slot) + bindInfo, ibv_mw_bind_info.sizeof()));
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

    static void requireLength(long length) {
        if (length < 0 || length > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "length is " + length + ", and one piece has 0 to " + LENGTH_MAX + " bytes; split it");
        }
    }

    WorkRequestMemory memory() {
        return memory;
    }

    /** What was given, see {@link RequestShape}. */
    int shape(int slot) {
        return shapes[slot];
    }

    WindowBinding binding(int slot) {
        return bindings[slot];
    }

    /**
     * Holds open what the provider reaches by pointer while posting; {@link #releaseHandles} must follow. The pointer
     * to the destination is written anew, since {@link #remote} uses the same bytes.
     */
    void acquireHandles(int slot, QueuePairType type) {
        if (bindings[slot] != null) {
            bindings[slot].acquire();
        }
        if (type == QueuePairType.UNRELIABLE_DATAGRAM) {
            acquireDestination(slot);
        }
    }

    void releaseHandles(int slot) {
        if (bindings[slot] != null) {
            bindings[slot].release();
        }
        if (held[slot] != null) {
            held[slot].lifetime().release();
            held[slot] = null;
        }
    }

    void rejected(int slot) {
        this.firstRejected = slot;
    }

    private void acquireDestination(int slot) {
        try {
            destinations[slot].lifetime().acquire();
        } catch (RuntimeException closed) {
            if (bindings[slot] != null) {
                bindings[slot].release();
            }
            throw closed;
        }
        held[slot] = destinations[slot];
        long address = destinations[slot].handle().address();
        set(slot, ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud.ah$offset(), address);
    }

    private SendWorkRequests atomic(int slot, long address, int remoteKey, long operand) {
        if ((address & 7) != 0) {
            throw new IllegalArgumentException("remote address 0x" + Long.toHexString(address)
                    + " is not a multiple of 8, as atomic operations need");
        }
        set(slot, ibv_send_wr.wr$offset() + ibv_send_wr.wr.atomic.remote_addr$offset(), address);
        set(slot, ibv_send_wr.wr$offset() + ibv_send_wr.wr.atomic.compare_add$offset(), operand);
        set(slot, ibv_send_wr.wr$offset() + ibv_send_wr.wr.atomic.rkey$offset(), remoteKey);
        return this;
    }

    /** Also of no bytes: with the flag set the provider would copy from whatever address a piece names. */
    private static IllegalStateException alreadyInline(int slot) {
        return new IllegalStateException("request " + slot + " carries inline bytes already; begin it again");
    }

    private void inlineLength(int slot, long request, int length) {
        int elements = length > 0 ? 1 : 0;
        if (length > 0) {
            memory.setElement(slot, 0, memory.inlineAddress(slot), length, 0);
        }
        memory.set(request, ibv_send_wr.num_sge$offset(), elements);
        shapes[slot] = RequestShape.withInline(shapes[slot], elements, length);
    }

    private void set(int slot, long field, long value) {
        memory.set(memory.request(slot), field, value);
    }

    private void set(int slot, long field, int value) {
        memory.set(memory.request(slot), field, value);
    }
}

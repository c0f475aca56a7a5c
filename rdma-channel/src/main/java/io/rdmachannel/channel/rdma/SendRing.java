// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.ffi.NativeMemory;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredBuffer;
import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The send side of a link: a row of work requests that is filled round and round, and handed to the queue pair in
 * chains. Posts have numbers from 1: up to {@code ended} they are done with, up to {@code submitted} the device has
 * them, up to {@code posted} they are filled in. For one thread; allocates nothing but when it is made.
 */
final class SendRing {
    private static final int CHAIN_MAX = 16;

    private final QueuePair queuePair;
    private final SendWorkRequests row;
    private final SignalPolicy signals;
    private final int inlineMax;
    private final int depth;
    private final int tag;

    private long posted;
    private long submitted;
    private long ended;
    private int fillSlot;
    private int submitSlot;
    private boolean signaled;
    private boolean stalled;
    private boolean lastIsInline;

    /** The queue pair must take one request more than the depth: the {@link #postMarker marker}. */
    SendRing(QueuePair queuePair, int depth, int inlineMax, int tag) {
        this.queuePair = queuePair;
        this.depth = depth;
        this.inlineMax = inlineMax;
        this.tag = tag;
        this.row = SendWorkRequests.allocate(depth + 1, 1, inlineMax);
        this.signals = new SignalPolicy(depth);
    }

    int room() {
        return (int) (depth - (posted - ended));
    }

    /** The number of the last post. */
    long posted() {
        return posted;
    }

    boolean hasStaged() {
        return submitted < posted;
    }

    /** Whether the device has refused a post for lack of room. */
    boolean isStalled() {
        return stalled;
    }

    /** All posts up to this number have ended; says whether that is news. */
    boolean end(long number) {
        boolean news = number > ended;
        ended = news ? number : ended;
        return news;
    }

    long frame(Lease frame, long payloadBytes) {
        Objects.checkFromIndexSize(0, payloadBytes, frame.capacity());
        int slot = begin(WorkRequestOpcode.SEND, false);
        long bytes = FrameHeader.BYTES + payloadBytes;
        lastIsInline = bytes <= inlineMax;
        if (lastIsInline) {
            row.inline(slot, frame.headroom(), 0, FrameHeader.BYTES);
            row.inlineMore(slot, frame.segment(), 0, (int) payloadBytes);
        } else {
            row.add(slot, frame.headroomAddress(), bytes, frame.localKey());
        }
        return commit();
    }

    /** How many bytes of payload a request can carry itself; negative when not even a header. */
    int inlineBytes() {
        return inlineMax - FrameHeader.BYTES;
    }

    /**
     * Begins a frame with a payload of at most so many bytes, which is copied. The header must be written, and
     * {@link #commit} follow.
     *
     * @return where the header goes
     */
    long beginFrame(MemorySegment source, long offset, int length) {
        Objects.checkFromIndexSize(0, length, inlineBytes());
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        long id = WorkRequestId.ofPost(tag, nextNumber(false));
        long frame = row.beginInline(fillSlot, WorkRequestOpcode.SEND, id, signaled, FrameHeader.BYTES + length);
        if (length > 0) {
            NativeMemory.copy(source, offset, frame + FrameHeader.BYTES, length);
        }
        lastIsInline = true;
        return frame;
    }

    /** Changes the header of the frame that was posted last. */
    void changeLast(long acknowledged, long granted) {
        FrameHeader.putState(row.inlineAddress(lastSlot()), acknowledged, granted);
    }

    /** Whether this is the last post, and the device does not have it yet. */
    boolean isLastStaged(long number) {
        return number == posted && submitted < posted;
    }

    /** Takes the header of the frame that was posted last anew. */
    void changeLast(Lease frame) {
        if (lastIsInline) {
            row.changeInline(lastSlot(), 0, frame.headroom(), 0, FrameHeader.BYTES);
        }
    }

    /** Begins a write or read. {@link #immediate} may follow, and {@link #commit} must. */
    SendRing transfer(WorkRequestOpcode opcode, RegisteredBuffer local, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, local.segment().byteSize());
        int slot = begin(opcode, true);
        row.add(slot, local.address() + offset, length, local.localKey());
        return this;
    }

    SendRing remote(long address, int key) {
        row.remote(fillSlot, address, key);
        return this;
    }

    SendRing immediate(int value) {
        row.immediate(fillSlot, value);
        return this;
    }

    long probe() {
        begin(WorkRequestOpcode.RDMA_WRITE, true);
        return remote(0, 0).commit();
    }

    long compareAndSwap(RegisteredBuffer result, long address, int key, long expected, long replacement) {
        transfer(WorkRequestOpcode.ATOMIC_COMPARE_AND_SWAP, result, 0, Long.BYTES);
        row.compareAndSwap(fillSlot, address, key, expected, replacement);
        return commit();
    }

    long fetchAndAdd(RegisteredBuffer result, long address, int key, long addend) {
        transfer(WorkRequestOpcode.ATOMIC_FETCH_AND_ADD, result, 0, Long.BYTES);
        row.fetchAndAdd(fillSlot, address, key, addend);
        return commit();
    }

    /** Counts the request that was filled in last. */
    long commit() {
        posted++;
        if (signaled) {
            signals.signaled(posted);
        }
        fillSlot = fillSlot + 1 == depth ? 0 : fillSlot + 1;
        return posted;
    }

    boolean isChainFull() {
        return posted - submitted >= CHAIN_MAX;
    }

    /**
     * Hands everything to the device. What it has no room for stays for the next time.
     *
     * @return {@link PostResult#POSTED}, or the result of the post that was refused
     */
    int submit() {
        while (submitted < posted) {
            int count = (int) Math.min(posted - submitted, depth - submitSlot);
            int result = queuePair.postSend(row, submitSlot, count);
            int taken =
                    result == PostResult.POSTED ? count : Math.clamp(row.firstRejected() - (long) submitSlot, 0, count);
            submitted += taken;
            submitSlot = submitSlot + taken == depth ? 0 : submitSlot + taken;
            if (result != PostResult.POSTED) {
                stalled = true;
                return result;
            }
        }
        stalled = false;
        return PostResult.POSTED;
    }

    /** In the error state, posts one last empty request: when it comes back, everything before it has. */
    int postMarker() {
        row.begin(depth, WorkRequestOpcode.SEND, WorkRequestId.ofPost(tag, WorkRequestId.MARKER), true);
        return queuePair.postSend(row, depth);
    }

    void handOver(Thread owner) {
        row.handOver(owner);
    }

    private int lastSlot() {
        return (fillSlot == 0 ? depth : fillSlot) - 1;
    }

    private int begin(WorkRequestOpcode opcode, boolean awaited) {
        long number = nextNumber(awaited);
        row.begin(fillSlot, opcode, WorkRequestId.ofPost(tag, number), signaled);
        return fillSlot;
    }

    /** The number that the next post gets; says in {@link #signaled} whether its end is told. */
    private long nextNumber(boolean awaited) {
        if (posted - ended == depth) {
            throw new IllegalStateException(
                    "the send queue is full with " + depth + " posts; ask room() first, and poll until there is some");
        }
        long number = posted + 1;
        signaled = signals.wants(number, awaited);
        return number;
    }
}

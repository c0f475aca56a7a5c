// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What this side has posted. A frame has ended when it has gone; an operation when the peer has answered it, or one
 * after it.
 */
final class TcpRequests {
    /** In place of the length of a read, so that neither is answered as the other. */
    private static final long ATOMIC = -1;

    private final TcpOutput output;
    private final long[] operationOfPost;
    private final long[] postOfOperation;
    private final MemorySegment[] targets;
    private final long[] offsets;
    private final long[] lengths;
    private final int mask;
    private long posted;
    private long ended;
    private long operations;
    private long answered;
    private ChannelException refusal;
    private long refusedPost;

    TcpRequests(TcpOutput output, int capacity) {
        this.output = output;
        int size = Integer.highestOneBit(Math.max(1, capacity) * 2 - 1);
        this.mask = size - 1;
        this.operationOfPost = new long[size];
        this.postOfOperation = new long[size];
        this.targets = new MemorySegment[size];
        this.offsets = new long[size];
        this.lengths = new long[size];
    }

    long outstanding() {
        return posted - ended;
    }

    /** The number of the last post. */
    long posted() {
        return posted;
    }

    long ended() {
        return ended;
    }

    /** Why the peer refused an operation; null when it has not. */
    ChannelException refusal() {
        return refusal;
    }

    long refusedPost() {
        return refusedPost;
    }

    /** Counts a frame that was posted. */
    long frame() {
        posted++;
        operationOfPost[(int) posted & mask] = 0;
        return posted;
    }

    long write(MemorySegment source, long offset, long length, long address, int key) {
        long at = begin(Operation.WRITE, address, key, length, (int) length);
        output.data(source, offset, length);
        return end(at, null, 0, 0);
    }

    long writeWithImmediate(MemorySegment source, long offset, long length, long address, int key, int immediate) {
        long at = begin(Operation.WRITE_WITH_IMMEDIATE, address, key, length, (int) length);
        Operation.putImmediate(output.heads(), at, immediate);
        output.data(source, offset, length);
        return end(at, null, 0, 0);
    }

    long read(MemorySegment target, long offset, long length, long address, int key) {
        return end(begin(Operation.READ, address, key, length, 0), target, offset, length);
    }

    long atomic(int type, MemorySegment result, long address, int key, long first, long second) {
        long at = begin(type, address, key, Long.BYTES, 0);
        Operation.putOperands(output.heads(), at, first, second);
        return end(at, result, 0, ATOMIC);
    }

    /** Goes on to the last post that has ended; says whether that is another one than before. */
    boolean advance(long postsSent) {
        long before = ended;
        while (ended < posted && ended < postsSent && operationOfPost[(int) (ended + 1) & mask] <= answered) {
            ended++;
        }
        return ended != before;
    }

    /** All operations up to a number are done, and none of them has an answer of its own. */
    void done(long number) {
        requireNext(number);
        requireWrites(number);
        answered = number;
    }

    /** Where the data of a read go, from {@link #readOffset}. */
    MemorySegment readTarget(long number, long length) {
        return target(number, length);
    }

    /** The data of a read have all come. */
    void dataArrived(long number) {
        answered = number;
    }

    long readOffset(long number) {
        return offsets[(int) number & mask];
    }

    /** The answer to an atomic operation. */
    void atomicResult(long number, long value) {
        target(number, ATOMIC).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
        answered = number;
    }

    /** The peer has refused an operation. */
    void refused(long number) {
        requireNext(number);
        requireWrites(number - 1);
        answered = number - 1;
        refusedPost = postOfOperation[(int) number & mask];
        refusal = new ChannelException(
                Reason.REMOTE_ACCESS,
                "the peer refused an access to its memory: the region is revoked, a right is missing, or it is out of"
                        + " bounds");
    }

    /** The length of a read, or {@link #ATOMIC}. */
    private MemorySegment target(long number, long length) {
        requireNext(number);
        int index = (int) number & mask;
        if (targets[index] == null || lengths[index] != length) {
            String what = length == ATOMIC ? "an atomic operation" : "a read of " + length + " bytes";
            throw new ProtocolException("operation " + number + ", which it answers as " + what + ", was none");
        }
        requireWrites(number - 1);
        return targets[index];
    }

    /** After a refusal nothing is answered. */
    private void requireNext(long number) {
        if (number <= answered || number > operations || refusal != null) {
            throw new ProtocolException("it answers operation " + number + "; "
                    + (refusal != null ? "none" : "one between " + (answered + 1) + " and " + operations)
                    + " was expected");
        }
    }

    /** A read that ended without its data would show what was in its buffer before. */
    private void requireWrites(long upTo) {
        for (long number = answered + 1; number <= upTo; number++) {
            if (targets[(int) number & mask] != null) {
                throw new ProtocolException(
                        "it passes over operation " + number + ", which is a read or an atomic and needs an answer");
            }
        }
    }

    private long begin(int type, long address, int key, long length, int dataBytes) {
        operations++;
        long at = output.begin(true);
        Operation.put(output.heads(), at, type, address, key, length);
        Operation.putHeader(output.heads(), at, dataBytes, operations);
        return at;
    }

    private long end(long at, MemorySegment target, long offset, long length) {
        output.end();
        posted++;
        operationOfPost[(int) posted & mask] = operations;
        int index = (int) operations & mask;
        postOfOperation[index] = posted;
        targets[index] = target;
        offsets[index] = offset;
        lengths[index] = length;
        return posted;
    }
}

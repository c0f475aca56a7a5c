// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.LeaseSlice;
import io.rdmachannel.mempool.RegisteredBuffer;

/** The one-sided operations that have not ended, in their order; each keeps its buffer, and what it was. */
final class OperationQueue {
    /** What an operation does. */
    enum Kind {
        WRITE,
        WRITE_WITH_IMMEDIATE,
        READ,
        /** Never done twice. */
        ATOMIC
    }

    private final RegisteredBuffer[] buffers;
    private final long[] posts;
    private final long[] tokens;
    private final Completion[] completions;
    private final Kind[] kinds;
    private final RemoteRegion[] regions;
    private final long[] remoteOffsets;
    private final long[] localOffsets;
    private final long[] lengths;
    private final int[] immediates;
    private final long[] messagesBefore;
    /** Null for success. */
    private final Outcome[] outcomes;

    private final int mask;
    private final int capacity;
    private final Counters counters;
    private long added;
    private long ended;
    private long immediatesAdded;

    OperationQueue(int capacity, Counters counters) {
        int size = Rings.size(capacity);
        this.capacity = capacity;
        this.counters = counters;
        this.mask = size - 1;
        this.buffers = new RegisteredBuffer[size];
        this.posts = new long[size];
        this.tokens = new long[size];
        this.completions = new Completion[size];
        this.kinds = new Kind[size];
        this.regions = new RemoteRegion[size];
        this.remoteOffsets = new long[size];
        this.localOffsets = new long[size];
        this.lengths = new long[size];
        this.immediates = new int[size];
        this.messagesBefore = new long[size];
        this.outcomes = new Outcome[size];
    }

    boolean hasRoom(int entries) {
        return added - ended + entries <= capacity;
    }

    boolean isEmpty() {
        return added == ended;
    }

    /** The number of the operation that was added last, from 1. */
    long last() {
        return added;
    }

    /** The number of the first operation that has not ended. */
    long first() {
        return ended + 1;
    }

    /** How many writes with immediate were ever added. */
    long immediatesAdded() {
        return immediatesAdded;
    }

    /** Adds an operation that was posted; {@link #remember} must follow. */
    void add(RegisteredBuffer buffer, Kind kind, long lastPost, long token, Completion completion) {
        retain(buffer);
        added++;
        int index = index(added);
        buffers[index] = buffer;
        posts[index] = lastPost;
        kinds[index] = kind;
        tokens[index] = token;
        completions[index] = completion;
        immediatesAdded += kind == Kind.WRITE_WITH_IMMEDIATE ? 1 : 0;
    }

    /** Keeps where the bytes of the last one are, so that it can be done again. */
    void remember(RemoteRegion region, long remoteOffset, long localOffset, long length) {
        int index = index(added);
        regions[index] = region;
        remoteOffsets[index] = remoteOffset;
        localOffsets[index] = localOffset;
        lengths[index] = length;
    }

    /** Keeps which message was the last one before it, and its immediate. */
    void rememberOrder(long lastMessage, int immediate) {
        int index = index(added);
        messagesBefore[index] = lastMessage;
        immediates[index] = immediate;
    }

    Kind kind(long number) {
        return kinds[index(number)];
    }

    RegisteredBuffer buffer(long number) {
        return buffers[index(number)];
    }

    RemoteRegion region(long number) {
        return regions[index(number)];
    }

    long remoteOffset(long number) {
        return remoteOffsets[index(number)];
    }

    long localOffset(long number) {
        return localOffsets[index(number)];
    }

    long length(long number) {
        return lengths[index(number)];
    }

    int immediate(long number) {
        return immediates[index(number)];
    }

    /** The last message that was accepted before it. */
    long messagesBefore(long number) {
        return messagesBefore[index(number)];
    }

    /** The link is closed: nothing is posted any more. */
    void suspend() {
        for (long number = ended + 1; number <= added; number++) {
            posts[index(number)] = Long.MAX_VALUE;
        }
    }

    void postedAgain(long number, long lastPost) {
        posts[index(number)] = lastPost;
    }

    /** It needs no post any more; it ends in its turn. */
    void settle(long number, Outcome outcome) {
        posts[index(number)] = 0;
        outcomes[index(number)] = outcome == Outcome.SUCCESS ? null : outcome;
    }

    boolean isSettled(long number) {
        return posts[index(number)] == 0;
    }

    /** Ends those whose posts have ended. */
    void end(long postsEnded) {
        while (ended < added && posts[index(ended + 1)] <= postsEnded) {
            Outcome outcome = outcomes[index(ended + 1)];
            counters.add(ChannelCounter.UNKNOWN_OPERATIONS, outcome == Outcome.UNKNOWN ? 1 : 0);
            endNext(outcome == null ? Outcome.SUCCESS : outcome);
        }
    }

    /**
     * Ends all; the link is closed.
     *
     * @param culprit the post that failed, or 0
     * @param outcome how the operation ended that it belongs to
     */
    void cancel(long culprit, Outcome outcome) {
        while (ended < added) {
            int index = index(ended + 1);
            Outcome left = kinds[index] == Kind.ATOMIC ? Outcome.UNKNOWN : Outcome.CANCELLED;
            boolean guilty = culprit > 0 && posts[index] >= culprit;
            // Of an operation with several buffers only the last one is told.
            culprit = guilty && completions[index] != Completion.NONE ? 0 : culprit;
            Outcome end = guilty && outcome != Outcome.CANCELLED ? outcome : left;
            counters.add(ChannelCounter.UNKNOWN_OPERATIONS, end == Outcome.UNKNOWN ? 1 : 0);
            endNext(end);
        }
    }

    private void endNext(Outcome outcome) {
        ended++;
        int index = index(ended);
        RegisteredBuffer buffer = buffers[index];
        Completion completion = completions[index];
        buffers[index] = null;
        completions[index] = null;
        regions[index] = null;
        outcomes[index] = null;
        release(buffer);
        completion.ended(tokens[index], outcome);
    }

    private int index(long number) {
        return (int) number & mask;
    }

    private static void retain(RegisteredBuffer buffer) {
        if (buffer instanceof Lease lease) {
            lease.retain();
        } else if (buffer instanceof LeaseSlice slice) {
            slice.retain();
        }
    }

    private static void release(RegisteredBuffer buffer) {
        if (buffer instanceof Lease lease) {
            lease.release();
        } else if (buffer instanceof LeaseSlice slice) {
            slice.release();
        }
    }
}

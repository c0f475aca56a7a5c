// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Outcome;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.LeaseSlice;
import io.rdmachannel.mempool.RegisteredBuffer;

/** The one-sided operations that have not ended, in their order; each keeps its buffer. */
final class OperationQueue {
    private final RegisteredBuffer[] buffers;
    private final long[] posts;
    private final long[] tokens;
    private final boolean[] atomic;
    private final Completion[] completions;
    private final int mask;
    private final int capacity;
    private long added;
    private long ended;

    OperationQueue(int capacity) {
        int size = Rings.size(capacity);
        this.capacity = capacity;
        this.mask = size - 1;
        this.buffers = new RegisteredBuffer[size];
        this.posts = new long[size];
        this.tokens = new long[size];
        this.atomic = new boolean[size];
        this.completions = new Completion[size];
    }

    boolean hasRoom(int entries) {
        return added - ended + entries <= capacity;
    }

    boolean isEmpty() {
        return added == ended;
    }

    void add(RegisteredBuffer buffer, long lastPost, boolean isAtomic, long token, Completion completion) {
        retain(buffer);
        int index = (int) added++ & mask;
        buffers[index] = buffer;
        posts[index] = lastPost;
        atomic[index] = isAtomic;
        tokens[index] = token;
        completions[index] = completion;
    }

    /** Ends those whose posts have ended. */
    void end(long postsEnded) {
        while (ended < added && posts[(int) ended & mask] <= postsEnded) {
            endNext(Outcome.SUCCESS);
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
            int index = (int) ended & mask;
            Outcome left = atomic[index] ? Outcome.UNKNOWN : Outcome.CANCELLED;
            boolean guilty = culprit > 0 && posts[index] >= culprit;
            // Of an operation with several buffers only the last one is told.
            culprit = guilty && completions[index] != Completion.NONE ? 0 : culprit;
            endNext(guilty ? outcome : left);
        }
    }

    private void endNext(Outcome outcome) {
        int index = (int) ended++ & mask;
        RegisteredBuffer buffer = buffers[index];
        Completion completion = completions[index];
        buffers[index] = null;
        completions[index] = null;
        release(buffer);
        completion.ended(tokens[index], outcome);
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

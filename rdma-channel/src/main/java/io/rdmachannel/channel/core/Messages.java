// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.events.SlowCompletionEvent.Kind;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/** The messages that a channel's user sends: copied into buffers, or written there in place. The loop's thread only. */
final class Messages {
    private final ChannelCore channel;
    private final Counters counters;
    private final WatchedCompletion watched;
    private final long maxBytes;
    private final long eagerBytes;

    Messages(ChannelCore channel, Counters counters, WatchedCompletion watched, Conversation values) {
        this.channel = channel;
        this.counters = counters;
        this.watched = watched;
        this.maxBytes = values.maxMessageBytes();
        this.eagerBytes = values.eagerBytes();
    }

    /** Sends a copy; the completion is told. */
    Submission send(MemorySegment source, long offset, long length, long token, Completion completion) {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        Submission possible = canSend(length);
        if (possible != Submission.ACCEPTED) {
            return possible;
        }
        if (channel.outgoing().carriesInline(length)) {
            return sendInline(source, offset, (int) length, token, completion);
        }
        Lease message = channel.pool().acquire(length);
        if (message == null) {
            return Submission.POOL_EXHAUSTED;
        }
        copy(source, offset, message, 0, length);
        return submitOwn(message, length, token, completion);
    }

    /** Sends pieces as one message. */
    Submission send(List<MemorySegment> pieces, long token) {
        long length = 0;
        for (MemorySegment piece : pieces) {
            length = Math.addExact(length, piece.byteSize());
        }
        Submission possible = canSend(length);
        Lease message = possible.isAccepted() ? channel.pool().acquire(length) : null;
        if (message == null) {
            return possible.isAccepted() ? Submission.POOL_EXHAUSTED : possible;
        }
        long at = 0;
        for (MemorySegment piece : pieces) {
            copy(piece, 0, message, at, piece.byteSize());
            at += piece.byteSize();
        }
        return submitOwn(message, length, token, channel.told());
    }

    /** Sends what lies in a lease, which is kept when it is accepted. */
    Submission submit(Lease message, long length, long token, Completion completion) {
        if (!channel.state().isOpen()) {
            return channel.refusal();
        }
        Completion whom = watched.over(completion, Kind.MESSAGE, length);
        Submission answer = channel.letGo(channel.outgoing().send(message, length, token, whom));
        if (answer == Submission.ACCEPTED) {
            counters.sent(length, length > eagerBytes);
        } else {
            watched.abandon(whom);
        }
        return answer;
    }

    private Submission sendInline(MemorySegment source, long offset, int length, long token, Completion completion) {
        Completion whom = watched.over(completion, Kind.MESSAGE, length);
        try {
            channel.outgoing().sendInline(source, offset, length, token, whom);
        } catch (IllegalStateException | WrongThreadException notReadable) {
            watched.abandon(whom);
            throw notReadable;
        }
        counters.sent(length, false);
        return channel.letGo(Submission.ACCEPTED);
    }

    void requireLength(long length) {
        if (length < 0 || length > maxBytes) {
            throw new IllegalArgumentException("a message of " + length + " bytes; this channel takes 0 to " + maxBytes
                    + ", the smaller maxMessageBytes of its two sides");
        }
    }

    /** The buffer goes back when the source cannot be read: its arena is closed, or another thread's. */
    private static void copy(MemorySegment source, long offset, Lease message, long at, long length) {
        try {
            MemorySegment.copy(source, offset, message.segment(), at, length);
        } catch (IllegalStateException | WrongThreadException notReadable) {
            message.release();
            throw notReadable;
        }
    }

    private Submission canSend(long length) {
        channel.requireThread();
        requireLength(length);
        return channel.state().isOpen() ? channel.outgoing().canSend() : channel.refusal();
    }

    private Submission submitOwn(Lease message, long length, long token, Completion completion) {
        Submission answer = submit(message, length, token, completion);
        if (answer != Submission.ACCEPTED) {
            message.release();
        }
        return answer;
    }
}

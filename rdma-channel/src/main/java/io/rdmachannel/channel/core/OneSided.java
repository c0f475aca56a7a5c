// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.core.OperationQueue.Kind;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.LeaseSlice;
import io.rdmachannel.mempool.RegisteredBuffer;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.List;
import java.util.Objects;

/** Reads, writes and atomics in the peer's memory. The event loop's thread only. */
final class OneSided {
    private Link link;
    private final RegisteredMemoryPool pool;
    private final Credits credits;
    private final Outgoing outgoing;
    private final OperationQueue operations;
    private final Completion completion;
    private final int sendDepth;
    private final OperationCount count;

    /** Begins; messages and operations are one row. */
    OneSided(
            Link link, Credits credits, Outgoing outgoing, int sendDepth, Completion completion, OperationCount count) {
        this.link = link;
        this.pool = outgoing.pool();
        this.credits = credits;
        this.outgoing = outgoing;
        this.operations = new OperationQueue(sendDepth, count.counters());
        this.count = count;
        this.completion = completion;
        this.sendDepth = sendDepth;
    }

    private OneSided(OneSided same, Completion completion) {
        this.link = same.link;
        this.pool = same.pool;
        this.credits = same.credits;
        this.outgoing = same.outgoing;
        this.operations = same.operations;
        this.count = same.count;
        this.completion = completion;
        this.sendDepth = same.sendDepth;
    }

    /** The same operations, whose ends are told to somebody else. For use at once. */
    OneSided telling(Completion whom) {
        return new OneSided(this, whom);
    }

    Submission write(RegisteredBuffer source, long from, RemoteRegion target, long to, long length, long token) {
        Submission answer = check(target, RegionRight.WRITE, to, source, from, length);
        if (answer == Submission.ACCEPTED) {
            long post = postWrites(source, from, target, to, length);
            operations.add(source, Kind.WRITE, post, token, count.write(length, completion));
            remember(target, to, from, length, 0);
        }
        return answer;
    }

    Submission write(List<? extends RegisteredBuffer> sources, RemoteRegion target, long to, long token) {
        Submission answer = checkAll(target, RegionRight.WRITE, to, sources);
        if (answer == Submission.ACCEPTED) {
            long at = to;
            for (int i = 0; i < sources.size(); i++) {
                RegisteredBuffer source = sources.get(i);
                long post = postWrites(source, 0, target, at, source.length());
                add(source, Kind.WRITE, post, i == sources.size() - 1, token);
                remember(target, at, 0, source.length(), 0);
                at += source.length();
            }
            count.wrote(at - to);
        }
        return answer;
    }

    Submission writeWithImmediate(
            RegisteredBuffer source, long from, RemoteRegion target, long to, long length, int immediate, long token) {
        Submission answer = check(target, RegionRight.WRITE, to, source, from, length);
        if (answer == Submission.ACCEPTED && !credits.canSendMessage()) {
            return Submission.NO_CREDIT;
        }
        if (answer != Submission.ACCEPTED) {
            return answer;
        }
        long post = postWritesWithImmediate(source, from, target, to, length, immediate);
        operations.add(source, Kind.WRITE_WITH_IMMEDIATE, post, token, count.write(length, completion));
        remember(target, to, from, length, immediate);
        return answer;
    }

    Submission read(RemoteRegion source, long from, RegisteredBuffer target, long to, long length, long token) {
        Submission answer = check(source, RegionRight.READ, from, target, to, length);
        if (answer == Submission.ACCEPTED) {
            long post = postReads(source, from, target, to, length);
            operations.add(target, Kind.READ, post, token, count.read(length, completion));
            remember(source, from, to, length, 0);
        }
        return answer;
    }

    Submission read(RemoteRegion source, long from, List<? extends RegisteredBuffer> targets, long token) {
        Submission answer = checkAll(source, RegionRight.READ, from, targets);
        if (answer == Submission.ACCEPTED) {
            long at = from;
            for (int i = 0; i < targets.size(); i++) {
                RegisteredBuffer target = targets.get(i);
                long post = postReads(source, at, target, 0, target.length());
                add(target, Kind.READ, post, i == targets.size() - 1, token);
                remember(source, at, 0, target.length(), 0);
                at += target.length();
            }
            count.haveRead(at - from);
        }
        return answer;
    }

    Submission compareAndSwap(
            RemoteRegion target, long at, long expected, long replacement, RegisteredBuffer result, long token) {
        Submission answer = checkAtomic(target, at, result);
        if (answer != Submission.ACCEPTED) {
            return answer;
        }
        long post = link.compareAndSwap(result, target.addressAt(at), target.key(), expected, replacement);
        operations.add(result, Kind.ATOMIC, post, token, count.atomic(completion));
        remember(target, at, 0, Long.BYTES, 0);
        return answer;
    }

    Submission fetchAndAdd(RemoteRegion target, long at, long addend, RegisteredBuffer result, long token) {
        Submission answer = checkAtomic(target, at, result);
        if (answer != Submission.ACCEPTED) {
            return answer;
        }
        long post = link.fetchAndAdd(result, target.addressAt(at), target.key(), addend);
        operations.add(result, Kind.ATOMIC, post, token, count.atomic(completion));
        remember(target, at, 0, Long.BYTES, 0);
        return answer;
    }

    void ended(long upTo) {
        operations.end(upTo);
    }

    boolean isEmpty() {
        return operations.isEmpty();
    }

    OperationQueue operations() {
        return operations;
    }

    /** The link is closed; what has not ended is kept for another one. */
    void suspend() {
        operations.suspend();
        link = null;
    }

    /** Goes on with another link. */
    void resume(Link next) {
        link = next;
    }

    /** Posts an operation once more that was posted on another link; false when there is no room or credit now. */
    boolean postAgain(long number) {
        RegisteredBuffer buffer = operations.buffer(number);
        RemoteRegion region = operations.region(number);
        long length = operations.length(number);
        boolean withImmediate = operations.kind(number) == Kind.WRITE_WITH_IMMEDIATE;
        boolean room = link.room() >= piecesOf(length) + Conversation.NOTICE_ROOM;
        if (!room || withImmediate && !credits.canSendMessage()) {
            return false;
        }
        long remote = operations.remoteOffset(number);
        long local = operations.localOffset(number);
        long post = switch (operations.kind(number)) {
            case WRITE -> postWrites(buffer, local, region, remote, length);
            case WRITE_WITH_IMMEDIATE ->
                postWritesWithImmediate(buffer, local, region, remote, length, operations.immediate(number));
            case READ -> postReads(region, remote, buffer, local, length);
            case ATOMIC -> throw new AssertionError("an atomic is never done twice");
        };
        operations.postedAgain(number, post);
        return true;
    }

    /** Ends everything; the link is closed. */
    void cancel(long culprit, Outcome outcome) {
        operations.cancel(culprit, outcome);
    }

    private long postWrites(RegisteredBuffer source, long from, RemoteRegion target, long to, long length) {
        long post;
        long done = 0;
        do {
            long piece = Math.min(link.pieceBytes(), length - done);
            post = link.write(source, from + done, piece, target.addressAt(to + done), target.key());
            done += piece;
        } while (done < length);
        return post;
    }

    private long postWritesWithImmediate(
            RegisteredBuffer source, long from, RemoteRegion target, long to, long length, int immediate) {
        long done = 0;
        while (length - done > link.pieceBytes()) {
            link.write(source, from + done, link.pieceBytes(), target.addressAt(to + done), target.key());
            done += link.pieceBytes();
        }
        credits.use();
        return link.writeWithImmediate(
                source, from + done, length - done, target.addressAt(to + done), target.key(), immediate);
    }

    private long postReads(RemoteRegion source, long from, RegisteredBuffer target, long to, long length) {
        long post;
        long done = 0;
        do {
            long piece = Math.min(link.pieceBytes(), length - done);
            post = link.read(target, to + done, piece, source.addressAt(from + done), source.key());
            done += piece;
        } while (done < length);
        return post;
    }

    /** Of several buffers the last one tells. */
    private void add(RegisteredBuffer buffer, Kind kind, long post, boolean isLast, long token) {
        operations.add(buffer, kind, post, isLast ? token : 0, isLast ? completion : Completion.NONE);
    }

    private void remember(RemoteRegion region, long remote, long local, long length, int immediate) {
        operations.remember(region, remote, local, length);
        operations.rememberOrder(outgoing.lastSequence(), immediate);
    }

    private Submission checkAll(
            RemoteRegion region, RegionRight right, long at, List<? extends RegisteredBuffer> buffers) {
        if (buffers.isEmpty() || buffers.size() > sendDepth / 2) {
            throw new IllegalArgumentException("an operation of " + buffers.size() + " buffers; 1 to " + sendDepth / 2
                    + " are possible with this sendDepth");
        }
        requireRight(region, right);
        long posts = 0;
        long length = 0;
        for (RegisteredBuffer buffer : buffers) {
            requireOwn(buffer);
            posts += piecesOf(buffer.length());
            length = Math.addExact(length, buffer.length());
        }
        Objects.checkFromIndexSize(at, length, region.length());
        return region.isRevoked() ? Submission.REGION_REVOKED : roomFor(posts, buffers.size());
    }

    private Submission checkAtomic(RemoteRegion target, long at, RegisteredBuffer result) {
        if ((target.addressAt(at) & Long.BYTES - 1) != 0) {
            throw new IllegalArgumentException("offset " + at + " of " + target
                    + " is not aligned: the address of an atomic operation must be a multiple of 8");
        }
        return check(target, RegionRight.ATOMIC, at, result, 0, Long.BYTES);
    }

    private Submission check(
            RemoteRegion region, RegionRight right, long at, RegisteredBuffer buffer, long offset, long length) {
        requireRight(region, right);
        Objects.checkFromIndexSize(at, length, region.length());
        requireOwn(buffer);
        Objects.checkFromIndexSize(offset, length, buffer.segment().byteSize());
        if (region.isRevoked()) {
            return Submission.REGION_REVOKED;
        }
        return roomFor(piecesOf(length), 1);
    }

    private static void requireRight(RemoteRegion region, RegionRight right) {
        if (!region.rights().contains(right)) {
            throw new IllegalArgumentException(region + " does not permit this: right " + right + " is missing");
        }
    }

    private long piecesOf(long length) {
        return Math.max(1, Math.ceilDiv(length, link.pieceBytes()));
    }

    private Submission roomFor(long posts, int entries) {
        if (posts > sendDepth / 2) {
            throw new IllegalArgumentException("an operation of " + posts + " pieces of " + link.pieceBytes()
                    + " bytes; at most " + sendDepth / 2 + " are possible with this sendDepth: split it");
        }
        boolean room = operations.hasRoom(entries) && link.room() >= posts + Conversation.NOTICE_ROOM;
        return room ? Submission.ACCEPTED : Submission.QUEUE_FULL;
    }

    private void requireOwn(RegisteredBuffer buffer) {
        if (!pool.owns(buffer)) {
            throw new IllegalArgumentException("a buffer of another pool cannot be used here, since the channel's"
                    + " transport does not know its memory: take one of RdmaChannel.acquire or register");
        }
        boolean held = switch (buffer) {
            case Lease lease -> lease.referenceCount() > 0;
            case LeaseSlice slice -> slice.referenceCount() > 0;
            default -> true;
        };
        if (!held) {
            throw new IllegalArgumentException("the buffer has been released; it must be held until the end");
        }
    }
}

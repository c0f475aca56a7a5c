// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.LeaseSlice;
import io.rdmachannel.mempool.RegisteredBuffer;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.Objects;

/** Reads, writes and atomics in the peer's memory. The event loop's thread only. */
final class OneSided {
    private final Link link;
    private final RegisteredMemoryPool pool;
    private final Credits credits;
    private final OperationQueue operations;
    private final Completion completion;
    private final int sendDepth;

    OneSided(Link link, RegisteredMemoryPool pool, Credits credits, int sendDepth, Completion completion) {
        this.link = link;
        this.pool = pool;
        this.credits = credits;
        this.operations = new OperationQueue(sendDepth);
        this.completion = completion;
        this.sendDepth = sendDepth;
    }

    Submission write(RegisteredBuffer source, long from, RemoteRegion target, long to, long length, long token) {
        Submission answer = check(target, RegionRight.WRITE, to, source, from, length);
        if (answer != Submission.ACCEPTED) {
            return answer;
        }
        long post = 0;
        long done = 0;
        do {
            long piece = Math.min(link.pieceBytes(), length - done);
            post = link.write(source, from + done, piece, target.addressAt(to + done), target.key());
            done += piece;
        } while (done < length);
        operations.add(source, post, false, token, completion);
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
        long done = 0;
        while (length - done > link.pieceBytes()) {
            link.write(source, from + done, link.pieceBytes(), target.addressAt(to + done), target.key());
            done += link.pieceBytes();
        }
        long post = link.writeWithImmediate(
                source, from + done, length - done, target.addressAt(to + done), target.key(), immediate);
        credits.use();
        operations.add(source, post, false, token, completion);
        return answer;
    }

    Submission read(RemoteRegion source, long from, RegisteredBuffer target, long to, long length, long token) {
        Submission answer = check(source, RegionRight.READ, from, target, to, length);
        if (answer != Submission.ACCEPTED) {
            return answer;
        }
        long post = 0;
        long done = 0;
        do {
            long piece = Math.min(link.pieceBytes(), length - done);
            post = link.read(target, to + done, piece, source.addressAt(from + done), source.key());
            done += piece;
        } while (done < length);
        operations.add(target, post, false, token, completion);
        return answer;
    }

    Submission compareAndSwap(
            RemoteRegion target, long at, long expected, long replacement, RegisteredBuffer result, long token) {
        Submission answer = checkAtomic(target, at, result);
        if (answer != Submission.ACCEPTED) {
            return answer;
        }
        long post = link.compareAndSwap(result, target.addressAt(at), target.key(), expected, replacement);
        operations.add(result, post, true, token, completion);
        return answer;
    }

    Submission fetchAndAdd(RemoteRegion target, long at, long addend, RegisteredBuffer result, long token) {
        Submission answer = checkAtomic(target, at, result);
        if (answer != Submission.ACCEPTED) {
            return answer;
        }
        long post = link.fetchAndAdd(result, target.addressAt(at), target.key(), addend);
        operations.add(result, post, true, token, completion);
        return answer;
    }

    void ended(long upTo) {
        operations.end(upTo);
    }

    boolean isEmpty() {
        return operations.isEmpty();
    }

    /** Ends everything; the link is closed. */
    void cancel(long culprit, Outcome outcome) {
        operations.cancel(culprit, outcome);
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
        if (!region.rights().contains(right)) {
            throw new IllegalArgumentException(region + " does not permit this: right " + right + " is missing");
        }
        Objects.checkFromIndexSize(at, length, region.length());
        requireOwn(buffer);
        Objects.checkFromIndexSize(offset, length, buffer.segment().byteSize());
        if (region.isRevoked()) {
            return Submission.REGION_REVOKED;
        }
        return roomFor(Math.max(1, Math.ceilDiv(length, link.pieceBytes())));
    }

    private Submission roomFor(long posts) {
        if (posts > sendDepth / 2) {
            throw new IllegalArgumentException("an operation of " + posts + " pieces of " + link.pieceBytes()
                    + " bytes; at most " + sendDepth / 2 + " are possible with this sendDepth: split it");
        }
        boolean room = operations.hasRoom() && link.room() >= posts + Conversation.NOTICE_ROOM;
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

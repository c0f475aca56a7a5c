// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.protocol.FrameHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SocketChannel;

/**
 * What a link has to send, in order: jobs, each a head and data that lie where they are until they have gone. Nothing
 * is copied before the socket can take it, so an idle link needs no buffer.
 */
final class TcpOutput {
    /** More than a peer can ask for that keeps to its send depth. */
    private static final int ANSWERS_MAX = 1 << 16;

    private final Staging staging;
    private MemorySegment heads;
    private MemorySegment[] headSources;
    private int[] headBytes;
    private MemorySegment[] data;
    private long[] dataOffsets;
    private long[] dataLengths;
    private boolean[] posts;
    private int mask;
    private long added;
    private long sent;
    private long headSent;
    private long postsSent;
    private int answers;
    private boolean blocked;

    TcpOutput(Staging staging, int capacity) {
        this.staging = staging;
        allocate(Integer.highestOneBit(Math.max(8, capacity) * 2 - 1));
    }

    boolean isEmpty() {
        return added == sent;
    }

    /** Whether the socket took less than there was. */
    boolean isBlocked() {
        return blocked;
    }

    /** Whether answers to the peer's operations wait to go. */
    boolean hasAnswers() {
        return answers > 0;
    }

    /** Whether one more answer may wait; what this side posts has its own limit. */
    boolean takesAnswer() {
        return added - sent < ANSWERS_MAX;
    }

    /** How many posts have gone. */
    long postsSent() {
        return postsSent;
    }

    /** Adds a frame whose header lies in memory of its own. */
    void addFrame(MemorySegment header, MemorySegment payload, long payloadBytes) {
        int index = next();
        headSources[index] = header;
        headBytes[index] = FrameHeader.BYTES;
        putData(index, payload, 0, payloadBytes);
        posts[index] = true;
        added++;
    }

    /** Whether nothing has gone of the frame that was added last, if that is what was added last. */
    boolean isLastFrameWhole() {
        boolean untouched = added - sent > 1 || added - sent == 1 && headSent == 0;
        return untouched && headSources[(int) (added - 1) & mask] != null;
    }

    /** Begins an operation or an answer; returns where its head is to be written, in {@link #heads()}. */
    long begin(boolean post) {
        int index = next();
        headSources[index] = null;
        headBytes[index] = Operation.BYTES;
        putData(index, null, 0, 0);
        posts[index] = post;
        answers += post ? 0 : 1;
        return (long) index * Operation.BYTES;
    }

    MemorySegment heads() {
        return heads;
    }

    /** Gives the data of what was begun. */
    void data(MemorySegment memory, long offset, long length) {
        putData((int) added & mask, memory, offset, length);
    }

    /** Ends what was begun. */
    void end() {
        added++;
    }

    /**
     * Sends as much as the socket takes.
     *
     * @return whether something went
     */
    boolean flush(SocketChannel socket) throws IOException {
        boolean progress = false;
        blocked = false;
        while (added != sent) {
            int filled = fill();
            int taken = socket.write(staging.output(filled));
            advance(taken);
            progress |= taken > 0;
            if (taken < filled) {
                blocked = true;
                return progress;
            }
        }
        return progress;
    }

    /** Copies from where sending stands, without going on. */
    private int fill() {
        MemorySegment target = staging.outputSegment();
        long room = target.byteSize();
        long filled = 0;
        long skip = headSent;
        for (long job = sent; job < added && filled < room; job++) {
            int index = (int) job & mask;
            if (skip < headBytes[index]) {
                long count = Math.min(headBytes[index] - skip, room - filled);
                copyHead(index, skip, target, filled, count);
                filled += count;
                skip += count;
            }
            long done = skip - headBytes[index];
            if (done >= 0 && filled < room) {
                long count = Math.min(dataLengths[index] - done, room - filled);
                if (count > 0) {
                    MemorySegment.copy(data[index], dataOffsets[index] + done, target, filled, count);
                    filled += count;
                }
            }
            skip = 0;
        }
        return (int) filled;
    }

    private void copyHead(int index, long from, MemorySegment target, long to, long count) {
        MemorySegment own = headSources[index];
        if (own != null) {
            MemorySegment.copy(own, from, target, to, count);
        } else {
            MemorySegment.copy(heads, (long) index * Operation.BYTES + from, target, to, count);
        }
    }

    private void advance(long bytes) {
        long left = bytes;
        while (left > 0) {
            int index = (int) sent & mask;
            long rest = headBytes[index] + dataLengths[index] - headSent;
            if (left < rest) {
                headSent += left;
                return;
            }
            left -= rest;
            headSent = 0;
            postsSent += posts[index] ? 1 : 0;
            answers -= posts[index] ? 0 : 1;
            headSources[index] = null;
            data[index] = null;
            sent++;
        }
    }

    private int next() {
        if (added - sent > mask) {
            grow();
        }
        return (int) added & mask;
    }

    private void putData(int index, MemorySegment memory, long offset, long length) {
        data[index] = memory;
        dataOffsets[index] = offset;
        dataLengths[index] = length;
    }

    private void grow() {
        MemorySegment oldHeads = heads;
        MemorySegment[] oldSources = headSources;
        int[] oldBytes = headBytes;
        MemorySegment[] oldData = data;
        long[] oldOffsets = dataOffsets;
        long[] oldLengths = dataLengths;
        boolean[] oldPosts = posts;
        int oldMask = mask;
        allocate((oldMask + 1) * 2);
        for (long job = sent; job < added; job++) {
            int from = (int) job & oldMask;
            int to = (int) job & mask;
            MemorySegment.copy(
                    oldHeads, (long) from * Operation.BYTES, heads, (long) to * Operation.BYTES, Operation.BYTES);
            headSources[to] = oldSources[from];
            headBytes[to] = oldBytes[from];
            putData(to, oldData[from], oldOffsets[from], oldLengths[from]);
            posts[to] = oldPosts[from];
        }
    }

    private void allocate(int size) {
        mask = size - 1;
        heads = Arena.ofAuto().allocate((long) size * Operation.BYTES, Long.BYTES);
        headSources = new MemorySegment[size];
        headBytes = new int[size];
        data = new MemorySegment[size];
        dataOffsets = new long[size];
        dataLengths = new long[size];
        posts = new boolean[size];
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.examples.support.ExampleException;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.MemorySegment;

/** The leader's side of one follower: what has been written to its ring, and what it has applied. */
final class FollowerLink implements ChannelHandler {
    private RdmaChannel channel;
    private RemoteRegion ring;
    private long next = 1;
    private long written;
    private long applied;
    private long free;

    void begin(RdmaChannel connected, RemoteRegion region) {
        channel = connected;
        ring = region;
    }

    /** The channel; null before there is one. */
    RdmaChannel channel() {
        return channel;
    }

    boolean isAlive() {
        return channel != null && channel.state().isOpen();
    }

    /** The last record that the follower has applied. */
    long applied() {
        return applied;
    }

    long ringBytes() {
        return ring.length();
    }

    @Override
    public void onMessage(RdmaChannel from, MemorySegment buffer, long offset, long length) {
        long index = AppliedReport.index(buffer, offset);
        long position = AppliedReport.position(buffer, offset);
        if (length != AppliedReport.BYTES
                || index < applied
                || index >= next
                || position < free
                || position > written) {
            throw new ExampleException("a follower reports record " + index + " at " + position + "; it was at "
                    + applied + ", and " + (next - 1) + " were written up to " + written);
        }
        applied = index;
        free = position;
    }

    /** Writes records until all are written, the ring is full, or the channel says to wait. */
    void replicate(RecordLog log) {
        boolean goesOn = true;
        while (goesOn && next <= log.last() && isAlive()) {
            goesOn = write(log.get(next));
        }
    }

    private boolean write(byte[] data) {
        int bytes = RecordLayout.bytes(data.length);
        long begin = RingPosition.begin(written, bytes, ring.length());
        // What the follower has not applied is never overwritten.
        if (begin + bytes - free > ring.length()) {
            return false;
        }
        Lease source = channel.acquire(bytes);
        if (source == null) {
            return false;
        }
        RecordLayout.put(source.segment(), next, data);
        Submission answer = channel.writeWithImmediate(source, 0, ring, begin % ring.length(), bytes, bytes, next);
        // The channel holds the buffer by itself until the write has ended.
        source.release();
        if (answer.isAccepted()) {
            written = begin + bytes;
            next++;
        }
        return answer.isAccepted();
    }
}

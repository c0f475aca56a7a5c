// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.mempool.RegisteredBuffer;
import java.util.Objects;

/**
 * Appends records to a region of the peer as to a ring, and never overtakes the peer: a record is only written where
 * the peer has said that it has read. The case of log replication: a leader appends into its followers' memory.
 *
 * <p>Records lie one behind the other and are not split: one that does not fit before the region's end goes to its
 * beginning. The peer learns of each by {@link ChannelHandler#onWriteWithImmediate}, whose immediate is the record's
 * place in the region in units of {@value #ALIGNMENT} bytes and whose length is the record's, and tells how far it has
 * read in the way of its own, such as a message; the writer is told by {@link #released}. No method blocks or
 * allocates. Belongs to the poller's thread.
 */
public final class RemoteMemoryWriter {
    /** Records begin at multiples of this many bytes. */
    public static final int ALIGNMENT = 64;

    private final RdmaChannel channel;
    private final RemoteRegion region;
    private final long capacity;
    private long written;
    /** What the peer has said last. */
    private long told;
    /** Up to where may be written over: what the peer has said, or behind a gap that it had nothing to read in. */
    private long released;

    /**
     * Begins at the beginning of a region that nobody else writes to.
     *
     * @param channel the channel that the region came by
     * @param region with the right {@link RegionRight#WRITE}, of at least {@value #ALIGNMENT} bytes
     * @throws IllegalArgumentException if the right is missing, or the region is too small, or larger than 256 GiB
     */
    public RemoteMemoryWriter(RdmaChannel channel, RemoteRegion region) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.region = Objects.requireNonNull(region, "region");
        this.capacity = region.length() / ALIGNMENT * ALIGNMENT;
        if (!region.rights().contains(RegionRight.WRITE)) {
            throw new IllegalArgumentException(region + " cannot be appended to: right WRITE is missing");
        }
        if (capacity < ALIGNMENT || capacity / ALIGNMENT > 1L << Integer.SIZE) {
            throw new IllegalArgumentException(region + " cannot be appended to: it must have 64 bytes to 256 GiB");
        }
    }

    /**
     * Appends a record.
     *
     * @param source registered memory of the channel's pool, not to be changed before the end
     * @param offset where the record begins
     * @param length its length, 1 or more, not more than the region has
     * @param token any number, for {@link ChannelHandler#onCompletion}
     * @return {@link Submission#ACCEPTED}; {@link Submission#QUEUE_FULL} also when the peer has not read enough yet
     * @throws IllegalArgumentException if it is longer than the region, or empty
     */
    public Submission append(RegisteredBuffer source, long offset, long length, long token) {
        if (length < 1 || length > capacity) {
            throw new IllegalArgumentException("a record of " + length + " bytes; this region takes 1 to " + capacity);
        }
        long begin = beginFor(length);
        long end = begin + Math.ceilDiv(length, ALIGNMENT) * ALIGNMENT;
        // When the peer has read all, also the gap at the end is free.
        long free = unread() == 0 ? begin : released;
        if (end - free > capacity) {
            return Submission.QUEUE_FULL;
        }
        long place = begin % capacity;
        int immediate = (int) (place / ALIGNMENT);
        Submission answer = channel.writeWithImmediate(source, offset, region, place, length, immediate, token);
        if (answer.isAccepted()) {
            written = end;
            released = free;
        }
        return answer;
    }

    /**
     * The peer has read records: their memory may be written again.
     *
     * @param position up to where, as {@link #position()} was after the last of them was appended
     * @throws IllegalArgumentException if that lies before what was said, or behind what was written
     */
    public void released(long position) {
        if (position < told || position > written) {
            throw new IllegalArgumentException(
                    "the peer cannot have read up to " + position + "; it has read up to " + told + " of " + written);
        }
        told = position;
        released = Math.max(released, position);
    }

    /**
     * Says how far has been written.
     *
     * @return a number of bytes, gaps included, that only grows; to be told back by {@link #released}
     */
    public long position() {
        return written;
    }

    /**
     * Says how much the peer has not read.
     *
     * @return bytes, gaps included
     */
    public long unread() {
        return written - told;
    }

    /**
     * Finds the place of a record in the region; for the reading side.
     *
     * @param immediate what came with the record
     * @return its offset in bytes
     */
    public static long place(int immediate) {
        return Integer.toUnsignedLong(immediate) * ALIGNMENT;
    }

    /**
     * Finds the position behind a record; for the reading side, which tells it to the writer.
     *
     * @param before the position behind the record before it, 0 at the beginning
     * @param immediate what came with the record
     * @param length what came with the record
     * @param regionBytes the size of the region
     * @return the position behind it
     */
    public static long positionBehind(long before, int immediate, long length, long regionBytes) {
        long capacity = regionBytes / ALIGNMENT * ALIGNMENT;
        long gap = Math.floorMod(place(immediate) - before, capacity);
        return before + gap + Math.ceilDiv(length, ALIGNMENT) * ALIGNMENT;
    }

    /** Where the record goes: behind the last one, or at the region's beginning if it does not fit there. */
    private long beginFor(long length) {
        long place = written % capacity;
        return place + length <= capacity ? written : written + capacity - place;
    }
}

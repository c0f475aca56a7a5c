// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * What a transport does for one channel: reliable, in order, like a queue pair. Belongs to the event loop's thread once
 * the channel is open; before, to the thread of the handshake.
 *
 * <p>Each piece of work that is posted gets the next number, from 1. Work ends in the order of the numbers, so one
 * number tells what has ended ({@link LinkEvents#postsEnded}). The memory that a post names must stay until then. What
 * is posted may wait for {@link #flush}. No method blocks or allocates, but for {@link #expose} and {@link #close}.
 */
public interface Link {
    /**
     * Names the transport.
     *
     * @return RDMA or TCP
     */
    Transport transport();

    /**
     * Counts what can be posted now.
     *
     * @return how many posts there is room for
     */
    int room();

    /**
     * Gives the most that one {@link #write} or {@link #read} can move.
     *
     * @return bytes
     */
    long pieceBytes();

    /**
     * Gives a receive buffer to the link; one is used for each frame and each write with immediate that arrives, in
     * order. Header and payload are put into its headroom and payload.
     *
     * @param receive a lease with headroom for a frame header, which the caller keeps a reference to
     */
    void supply(Lease receive);

    /**
     * Posts a frame: the header that lies in the lease's headroom, and the payload behind it.
     *
     * @param frame the lease
     * @param payloadBytes how many bytes of payload there are
     * @return the post's number
     */
    long post(Lease frame, long payloadBytes);

    /**
     * Says how long a payload may be for {@link #postInline}.
     *
     * @return bytes; negative when there is no such thing on this link
     */
    default int inlineBytes() {
        return -1;
    }

    /**
     * Posts a frame that the post itself carries: its bytes are taken at once, and no buffer is needed.
     *
     * @param type one of the types of {@link io.rdmachannel.channel.protocol.FrameHeader}
     * @param sequence the message's number, or of other frames the next message's
     * @param acknowledged how many messages of the peer have been handled
     * @param granted how many receives have been posted since the beginning
     * @param source where its bytes are; any segment
     * @param offset where they begin
     * @param length how many, not more than {@link #inlineBytes}
     * @return the post's number
     */
    default long postInline(
            int type, long sequence, long acknowledged, long granted, MemorySegment source, long offset, int length) {
        throw new UnsupportedOperationException("posts of this link carry nothing themselves");
    }

    /**
     * Changes what the header of the frame says that was posted last, by {@link #postInline}.
     *
     * @param acknowledged how many messages of the peer have been handled
     * @param granted how many receives have been posted since the beginning
     */
    default void changeInline(long acknowledged, long granted) {
        throw new UnsupportedOperationException("posts of this link carry nothing themselves");
    }

    /**
     * Says whether the header of a frame can still be changed, since nothing of it has gone and nothing was posted
     * after it. When it has been, {@link #changed} must follow.
     *
     * @param post what {@link #post} returned
     * @return true if it can
     */
    boolean isChangeable(long post);

    /**
     * The header of the frame that was posted last has changed.
     *
     * @param frame its lease
     */
    void changed(Lease frame);

    /**
     * Posts a write to the peer's memory; its end means that the bytes are there.
     *
     * @param source registered memory of the channel's pool
     * @param offset where the bytes begin
     * @param length how many, not more than a piece
     * @param address where they go, as the peer's link counts
     * @param key that permits it
     * @return the post's number
     */
    long write(RegisteredBuffer source, long offset, long length, long address, int key);

    /**
     * Posts a write that uses a receive of the peer's and is told to it.
     *
     * @param source registered memory of the channel's pool
     * @param offset where the bytes begin
     * @param length how many, not more than a piece
     * @param address where they go, as the peer's link counts
     * @param key that permits it
     * @param immediate for the peer
     * @return the post's number
     */
    long writeWithImmediate(RegisteredBuffer source, long offset, long length, long address, int key, int immediate);

    /**
     * Posts a read of the peer's memory; its end means that the bytes are here.
     *
     * @param target registered memory of the channel's pool
     * @param offset where the bytes go
     * @param length how many, not more than a piece
     * @param address where they are, as the peer's link counts
     * @param key that permits it
     * @return the post's number
     */
    long read(RegisteredBuffer target, long offset, long length, long address, int key);

    /**
     * Posts a compare-and-swap of 8 bytes of the peer's memory.
     *
     * @param result registered memory; its first 8 bytes get what was there before
     * @param address where the 8 bytes are, a multiple of 8
     * @param key that permits it
     * @param expected what must be there
     * @param replacement what is put there then
     * @return the post's number
     */
    long compareAndSwap(RegisteredBuffer result, long address, int key, long expected, long replacement);

    /**
     * Posts a fetch-and-add of 8 bytes of the peer's memory.
     *
     * @param result registered memory; its first 8 bytes get what was there before
     * @param address where the 8 bytes are, a multiple of 8
     * @param key that permits it
     * @param addend what is added
     * @return the post's number
     */
    long fetchAndAdd(RegisteredBuffer result, long address, int key, long addend);

    /**
     * Posts something that reaches the peer's end of the path and comes back without the peer's program: its end means
     * that the path works. A transport whose connection tells that by itself posts nothing.
     *
     * @return the post's number, or 0
     */
    long probe();

    /** Lets everything go that has been posted. */
    void flush();

    /**
     * Lets the peer read one message of the pool.
     *
     * @param message the message's lease
     * @return the key for the peer; the address is {@link #offeredAddress}
     */
    int offer(Lease message);

    /**
     * Gives the address of an offered message, as {@link #read} of the peer's link needs it.
     *
     * @param message the message's lease
     * @return the address
     */
    long offeredAddress(Lease message);

    /**
     * Ends an offer.
     *
     * @param key what {@link #offer} returned
     */
    void withdraw(int key);

    /**
     * Lets the peer use memory. May block and allocate.
     *
     * @param memory native memory
     * @param rights what the peer may do
     * @return address and key for the peer
     */
    Exposure expose(MemorySegment memory, Set<RegionRight> rights);

    /**
     * Looks for what has happened to this link, and tells it. For links that somebody else looks for (a completion
     * queue that many share) it does what is left over.
     *
     * @return how many events there were
     */
    int poll();

    /**
     * Ends the link: when it returns, nothing uses the memory of posts and receives any more, and the peer cannot reach
     * any of this side's. Idempotent. May block for as long as the device takes to flush.
     */
    void close();

    /**
     * Tells over what it goes, for people.
     *
     * @return the transport, and over RDMA device, port, GID and queue pair
     */
    default String path() {
        return transport().toString();
    }

    /**
     * Counts the work that has come back undone since the link's beginning, also by {@link #close}.
     *
     * @return 0 where there is no such thing
     */
    default long flushed() {
        return 0;
    }

    /** Memory that the peer may use; closed once. */
    interface Exposure {
        /**
         * Gives the address that the peer has to name.
         *
         * @return the address of the first byte
         */
        long address();

        /**
         * Gives the key that the peer has to name.
         *
         * @return the key
         */
        int key();

        /** Makes the key useless. Idempotent. */
        void close();
    }
}

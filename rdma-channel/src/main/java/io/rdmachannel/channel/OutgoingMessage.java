// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.lang.foreign.MemorySegment;

/**
 * A message that is being written in place, in registered memory: the way to send without a copy. Made by
 * {@link RdmaChannel#claim}; ends with {@link #commit} or {@link #abort}, whichever comes first. A channel has one
 * object of this kind, so there is one open claim at a time. Belongs to the poller's thread.
 */
public interface OutgoingMessage {
    /**
     * Gives the memory to write to.
     *
     * @return a segment of at least the claimed length, good until commit or abort
     * @throws IllegalStateException if there is no open claim
     */
    MemorySegment segment();

    /**
     * Sends the message.
     *
     * @param length its length, not more than was claimed
     * @return {@link Submission#ACCEPTED}, or why not; then the claim stays open and can be committed again
     * @throws IllegalStateException if there is no open claim
     * @throws IndexOutOfBoundsException if longer than claimed
     */
    Submission commit(long length);

    /**
     * Sends the message; its end is told.
     *
     * @param length its length, not more than was claimed
     * @param token any number, which {@link ChannelHandler#onCompletion} gets
     * @return as {@link #commit(long)}
     */
    Submission commit(long length, long token);

    /** Gives the memory back unsent. Without an open claim it does nothing. */
    void abort();
}

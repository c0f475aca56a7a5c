// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.lang.foreign.MemorySegment;

/**
 * What a channel tells. All methods are called in the thread of the channel's poller, never two at once, and must not
 * block; they may send. An exception out of one ends the channel with {@link ChannelException.Reason#HANDLER}.
 */
public interface ChannelHandler {
    /**
     * A message has arrived. The bytes are the handler's until it returns; {@link RdmaChannel#retainMessage()} keeps
     * them longer.
     *
     * @param channel the channel
     * @param buffer memory that holds the message; it may be larger
     * @param offset where the message begins in it
     * @param length its length in bytes, 0 or more
     */
    void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length);

    /**
     * An operation has ended that was given a token.
     *
     * @param channel the channel
     * @param token the number that was given with the operation
     * @param outcome how it ended
     */
    default void onCompletion(RdmaChannel channel, long token, Outcome outcome) {}

    /**
     * The peer has written to a region of this side, and says so. Comes in order with messages.
     *
     * @param channel the channel
     * @param immediate the 32 bits that it chose
     * @param length how many bytes it wrote
     */
    default void onWriteWithImmediate(RdmaChannel channel, int immediate, long length) {}

    /**
     * The peer has exposed a region to this side.
     *
     * @param channel the channel
     * @param region the region
     */
    default void onRegionExposed(RdmaChannel channel, RemoteRegion region) {}

    /**
     * The peer has revoked a region; operations on it are refused from now on.
     *
     * @param channel the channel
     * @param region the region
     */
    default void onRegionRevoked(RdmaChannel channel, RemoteRegion region) {}

    /**
     * The channel has moved to another state.
     *
     * @param channel the channel
     * @param before the state before
     * @param now the state now
     */
    default void onStateChange(RdmaChannel channel, ChannelState before, ChannelState now) {}
}

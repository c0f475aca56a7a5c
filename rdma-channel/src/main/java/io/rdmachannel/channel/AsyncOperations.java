// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.mempool.RegisteredBuffer;
import java.util.concurrent.CompletionStage;

/**
 * The one-sided operations of a channel for any thread: what finds no room waits for it, in the order of the calls and
 * of {@link RdmaChannel#sendAsync}. Each makes some objects. None blocks.
 *
 * <p>Stages complete in the poller's thread. They end exceptionally with a {@link ChannelException} when the channel
 * ends first or the peer refuses, and with the exception of the plain form when the arguments will not do; a write may
 * then have happened or not, and an atomic has happened once or not at all.
 */
public interface AsyncOperations {
    /**
     * Writes to the peer's memory: {@link RdmaChannel#write}.
     *
     * @param source registered memory of the channel's pool, to be held and unchanged until the end
     * @param sourceOffset where the bytes begin
     * @param target the peer's region
     * @param targetOffset where they go
     * @param length how many, 0 or more
     * @return completes when the bytes are there
     */
    CompletionStage<Void> write(
            RegisteredBuffer source, long sourceOffset, RemoteRegion target, long targetOffset, long length);

    /**
     * Writes to the peer's memory and tells the peer: {@link RdmaChannel#writeWithImmediate}.
     *
     * @param source registered memory of the channel's pool, to be held and unchanged until the end
     * @param sourceOffset where the bytes begin
     * @param target the peer's region
     * @param targetOffset where they go
     * @param length how many, 0 or more
     * @param immediate 32 bits for the peer
     * @return completes when the bytes are there
     */
    CompletionStage<Void> writeWithImmediate(
            RegisteredBuffer source,
            long sourceOffset,
            RemoteRegion target,
            long targetOffset,
            long length,
            int immediate);

    /**
     * Reads from the peer's memory: {@link RdmaChannel#read}.
     *
     * @param source the peer's region
     * @param sourceOffset where the bytes begin
     * @param target registered memory of the channel's pool, to be held until the end, and undefined until then
     * @param targetOffset where they go
     * @param length how many, 0 or more
     * @return completes when the bytes are here
     */
    CompletionStage<Void> read(
            RemoteRegion source, long sourceOffset, RegisteredBuffer target, long targetOffset, long length);

    /**
     * Replaces 8 bytes of the peer's memory if they have an expected value: {@link RdmaChannel#compareAndSwap}.
     *
     * @param target the peer's region
     * @param targetOffset where the 8 bytes are; their address must be a multiple of 8
     * @param expected what must be there
     * @param replacement what is put there then
     * @return completes with what was there before
     */
    CompletionStage<Long> compareAndSwap(RemoteRegion target, long targetOffset, long expected, long replacement);

    /**
     * Adds to 8 bytes of the peer's memory: {@link RdmaChannel#fetchAndAdd}.
     *
     * @param target the peer's region
     * @param targetOffset where the 8 bytes are; their address must be a multiple of 8
     * @param addend what is added; wraps around
     * @return completes with what was there before
     */
    CompletionStage<Long> fetchAndAdd(RemoteRegion target, long targetOffset, long addend);
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.mempool.RegisteredMemoryPool;

/**
 * One transport's share of an event loop: its memory, and where the events of all its links are looked for. Made and
 * used for handshakes by any thread; {@link #poll} and {@link #await} belong to the event loop's thread.
 */
public interface LinkSource {
    /**
     * Gives the memory that links of this source can use, registered as they need it.
     *
     * @return the pool, with headroom for a frame header
     */
    RegisteredMemoryPool pool();

    /**
     * Gives the receive buffers that all links of this source take from.
     *
     * @return the buffers; null when each link has its own
     */
    CommonReceives commonReceives();

    /**
     * Looks for events of all links, and tells them.
     *
     * @return how many there were
     */
    int poll();

    /**
     * Prepares to sleep: after it, an event that happens ends {@link #await}. Events may have happened in between, so
     * {@link #poll} must be called once more before sleeping.
     */
    void arm();

    /**
     * Sleeps until there may be an event.
     *
     * @param nanos how long at most
     */
    void await(long nanos);

    /** Ends a sleep, the present or the next one. Any thread. */
    void wakeUp();

    /**
     * Frees everything; all links are closed.
     *
     * @throws io.rdmachannel.mempool.PoolInUseException if leases are out; close can be repeated
     * @throws io.rdmachannel.channel.ChannelException (BUSY) if a link is being made; likewise
     */
    void close();
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;

/**
 * The receive buffers of a channel, set aside in the pool, so that no sender can take them: its own, or its share of
 * those that many channels take from. Made and supplied by the handshake's thread, then the event loop's.
 */
interface Receives {
    RegisteredMemoryPool pool();

    /** How many receives the peer may count on at the beginning. */
    int credit();

    /** Supplies a link that is being made. */
    void supplyAll(PendingLink link);

    /** The link has used one for something that arrived. */
    void used(Lease lease);

    /** Supplies a buffer that was used once more; returns how many more receives the peer may count on. */
    int supply(Lease lease, Link link);

    /**
     * Somebody keeps a buffer that was used; another one takes its place when it is back. Returns how many more
     * receives the peer may count on meanwhile.
     */
    int lose(Lease lease);

    /** Takes a buffer back that was used, from a channel that has failed. */
    void drop(Lease lease);

    boolean areMissing();

    /** Supplies one for one that was lost; returns how many more the peer may count on, or -1 if none is back. */
    int replaceOne(Link link);

    /** Gives all buffers back, those that somebody keeps when they are released; the link is closed. */
    void close();
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.mempool.Lease;

/** Where the receives of a link are: in a queue of its own, or in one that many take from. For one thread. */
interface ReceiveSide {
    /** Fills in a receive. */
    void supply(Lease lease);

    /** Whether what is filled in should be handed over now. */
    boolean isChainFull();

    boolean hasStaged();

    /**
     * Hands everything to the device. What it has no room for stays for the next time.
     *
     * @return {@link io.rdmachannel.verbs.PostResult#POSTED}, or the result of the post that was refused
     */
    int submit();

    /** Whether a receive that has come back is one that can come back now; asked before it is taken. */
    boolean isNext(int slot);

    /** The lease of a receive that has come back. */
    Lease take(int slot);

    /** A receive has come back with nothing for the channel. */
    void discard(Lease lease);

    /** Whether nothing more of a link's comes back that is in error. */
    boolean isDrained();

    /** What the completion of a receive carries above the slot's number. */
    int tag();
}

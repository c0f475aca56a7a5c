// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.mempool.Lease;

/** The receive buffers of a link, or of all links of a source, in their order. */
final class ReceiveRing {
    private final Lease[] leases;
    private final int mask;
    private long added;
    private long taken;

    ReceiveRing(int capacity) {
        int size = Integer.highestOneBit(Math.max(1, capacity) * 2 - 1);
        this.mask = size - 1;
        this.leases = new Lease[size];
    }

    void add(Lease lease) {
        if (added - taken == leases.length) {
            throw new IllegalStateException("there are more receive buffers than the " + leases.length + " expected");
        }
        leases[(int) added++ & mask] = lease;
    }

    /**
     * Takes the oldest one.
     *
     * @throws ProtocolException if there is none: the peer sends more than it has credit for
     */
    Lease take() {
        if (added == taken) {
            throw new ProtocolException("it sends more than it has credit for");
        }
        int index = (int) taken++ & mask;
        Lease lease = leases[index];
        leases[index] = null;
        return lease;
    }

    /** Gives all back that are here. */
    void release() {
        while (added > taken) {
            take().release();
        }
    }
}

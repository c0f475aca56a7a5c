// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.mempool.Claim;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.function.Consumer;

/**
 * The receive buffers of a channel: set aside in the pool, so that no sender can take them. Knows which ones the link
 * has, in the order in which it uses them.
 */
final class Receives {
    private final RegisteredMemoryPool pool;
    private final Claim claim;
    private final Consumer<Receives> closed;
    private final Lease[] supplied;
    private final int mask;
    private long added;
    private long used;
    private int missing;

    /**
     * Sets the buffers aside.
     *
     * @param pool the pool
     * @param holder who, for messages
     * @param bytes the size of each
     * @param depth how many
     * @param closed who is told of the end
     * @throws io.rdmachannel.mempool.PoolExhaustedException if the pool has not so many left
     */
    Receives(RegisteredMemoryPool pool, String holder, int bytes, int depth, Consumer<Receives> closed) {
        this.closed = closed;
        this.pool = pool;
        this.claim = pool.claim(holder, bytes, depth);
        int size = Rings.size(depth);
        this.mask = size - 1;
        this.supplied = new Lease[size];
    }

    RegisteredMemoryPool pool() {
        return pool;
    }

    /** Supplies a link that is being made with all of them. */
    void supplyAll(PendingLink link) {
        for (Lease lease = claim.acquire(); lease != null; lease = claim.acquire()) {
            link.supply(lease);
            add(lease);
        }
    }

    void supply(Lease lease, Link link) {
        link.supply(lease);
        add(lease);
    }

    /** The link has used the oldest one. */
    void used(Lease lease) {
        int index = (int) used++ & mask;
        if (supplied[index] != lease) {
            throw new AssertionError("the link used " + lease + " before " + supplied[index]);
        }
        supplied[index] = null;
    }

    /** Somebody keeps the buffer; another one takes its place when it is back. */
    void lose(Lease lease) {
        lease.release();
        missing++;
    }

    boolean areMissing() {
        return missing > 0;
    }

    /** Supplies one for one that was lost, if it is back; says whether it did. */
    boolean replaceOne(Link link) {
        Lease lease = missing == 0 ? null : claim.acquire();
        if (lease == null) {
            return false;
        }
        missing--;
        supply(lease, link);
        return true;
    }

    /** Gives all buffers back to the pool, those that somebody keeps when they are released; the link is closed. */
    void close() {
        while (used < added) {
            int index = (int) used++ & mask;
            supplied[index].release();
            supplied[index] = null;
        }
        claim.close();
        closed.accept(this);
    }

    private void add(Lease lease) {
        supplied[(int) added++ & mask] = lease;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.mempool.Claim;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;

/** Receive buffers of one channel. Knows which ones the link has, in the order in which it uses them. */
final class OwnReceives implements Receives {
    private final RegisteredMemoryPool pool;
    private final Claim claim;
    private final Runnable closed;
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
     * @throws io.rdmachannel.channel.ChannelException if the pool has not so many left
     */
    OwnReceives(RegisteredMemoryPool pool, String holder, int bytes, int depth, Runnable closed) {
        this.closed = closed;
        this.pool = pool;
        this.claim = MemoryPlan.claim(pool, holder, bytes, depth);
        int size = Rings.size(depth);
        this.mask = size - 1;
        this.supplied = new Lease[size];
    }

    @Override
    public RegisteredMemoryPool pool() {
        return pool;
    }

    @Override
    public int credit() {
        return claim.count();
    }

    @Override
    public void supplyAll(PendingLink link) {
        for (Lease lease = claim.acquire(); lease != null; lease = claim.acquire()) {
            link.supply(lease);
            add(lease);
        }
    }

    @Override
    public int supply(Lease lease, Link link) {
        link.supply(lease);
        add(lease);
        return 1;
    }

    @Override
    public void used(Lease lease) {
        int index = (int) used++ & mask;
        if (supplied[index] != lease) {
            throw new AssertionError("the link used " + lease + " before " + supplied[index]);
        }
    }

    @Override
    public int lose(Lease lease) {
        lease.release();
        missing++;
        return 0;
    }

    @Override
    public boolean areMissing() {
        return missing > 0;
    }

    @Override
    public int replaceOne(Link link) {
        Lease lease = missing == 0 ? null : claim.acquire();
        if (lease == null) {
            return -1;
        }
        missing--;
        return supply(lease, link);
    }

    @Override
    public void drop(Lease lease) {
        lease.release();
    }

    @Override
    public void close() {
        while (used < added) {
            supplied[(int) used++ & mask].release();
        }
        claim.close();
        closed.run();
    }

    private void add(Lease lease) {
        int index = (int) added++ & mask;
        // It is nearly always the same, and a store of a reference costs more than a look.
        if (supplied[index] != lease) {
            supplied[index] = lease;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;

/** One channel's share of receive buffers that many take from. */
final class ReceiveShare implements Receives {
    private final CommonReceives common;
    private final Runnable closed;
    private final int limit;
    /** What the peer can count on, with what has arrived and not been given back yet. */
    private int held = SharedReceives.GUARANTEED;

    /** How many buffers somebody keeps. */
    private int missing;

    /**
     * Takes part.
     *
     * @param limit how many receives the channel wants at most
     * @param closed is told of the end
     * @throws io.rdmachannel.channel.ChannelException if there are too many already
     */
    ReceiveShare(CommonReceives common, int limit, Runnable closed) {
        common.join();
        this.common = common;
        this.limit = limit;
        this.closed = closed;
    }

    @Override
    public RegisteredMemoryPool pool() {
        return common.pool();
    }

    @Override
    public int credit() {
        return SharedReceives.GUARANTEED;
    }

    @Override
    public void supplyAll(PendingLink link) {
        // The buffers are there already.
    }

    @Override
    public void used(Lease lease) {
        // Until it is given back it counts as held.
    }

    @Override
    public int supply(Lease lease, Link link) {
        common.recycle(lease);
        int promised = common.promise(held, limit);
        held += promised - 1;
        return promised;
    }

    @Override
    public int lose(Lease lease) {
        lease.release();
        missing++;
        int more = common.grow(held, limit) ? 1 : 0;
        held += more;
        return more;
    }

    @Override
    public void drop(Lease lease) {
        common.recycle(lease);
    }

    @Override
    public boolean areMissing() {
        return missing > 0;
    }

    @Override
    public int replaceOne(Link link) {
        Lease lease = missing == 0 ? null : common.returned();
        if (lease == null) {
            return -1;
        }
        missing--;
        return supply(lease, link);
    }

    @Override
    public void close() {
        if (held == SharedReceives.GUARANTEED && missing == 0) {
            common.leave();
        } else {
            common.leave(held, missing);
        }
        closed.run();
    }
}

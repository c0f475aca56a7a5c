// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.mempool.Claim;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Receive buffers that all channels of a source take from, and the account of what their peers have been promised:
 * never more than there are. Each channel has a guaranteed part; what is above all those goes to channels that receive
 * much, and comes back from them when others need it.
 *
 * <p>{@link #join} and {@link #leave} may be called by any thread, the rest by the event loop's.
 */
public final class CommonReceives {
    private final SharedReceives config;
    private final RegisteredMemoryPool pool;
    private final Claim claim;
    private final Consumer<Lease> queue;
    private final AtomicInteger members = new AtomicInteger();
    /** What there is above the guaranteed parts. */
    private final int spare;

    /** What channels can have of that while others could still want it. */
    private final int forMany;

    /** What channels hold above their guaranteed parts. */
    private int extra;
    /** Buffers that somebody keeps whose channel has ended. */
    private int missing;
    /** Buffers that the device has taken and may never give back. */
    private int strays;
    /** Buffers that were replaced and came back after all. */
    private int surplus;

    /**
     * Sets the buffers aside.
     *
     * @param config how many, and how large
     * @param pool where they are
     * @param queue puts one where arrivals find it
     * @throws ChannelException if the pool is too small
     */
    public CommonReceives(SharedReceives config, RegisteredMemoryPool pool, Consumer<Lease> queue) {
        this.config = config;
        this.pool = pool;
        this.queue = queue;
        this.spare = config.receives() - SharedReceives.GUARANTEED * config.channels();
        this.forMany = spare - spare / 4;
        this.claim = MemoryPlan.claim(pool, "shared receives", config.receiveBytes(), config.receives());
    }

    /**
     * Puts all buffers where arrivals find them, at the beginning or after {@link #emptied}; before a channel can
     * receive. What is not here yet is kept by somebody whose channel has left, and follows.
     *
     * @param target takes them
     */
    public void fill(Consumer<Lease> target) {
        int filled = 0;
        for (Lease lease = claim.acquire(); lease != null; lease = claim.acquire()) {
            target.accept(lease);
            filled++;
        }
        missing = config.receives() - filled;
    }

    /** All buffers have been taken out of the queue and released, those that had strayed too. */
    public void emptied() {
        strays = 0;
        surplus = 0;
    }

    /**
     * Gives the number of buffers.
     *
     * @return how many are set aside
     */
    public int count() {
        return config.receives();
    }

    /**
     * Gives a buffer back that was used for a channel that is no more.
     *
     * @param lease the buffer
     */
    public void recycle(Lease lease) {
        if (surplus > 0) {
            surplus--;
            lease.release();
        } else {
            queue.accept(lease);
        }
        replenish();
    }

    /** The device has taken a buffer, and seems not to give it back: its place is taken by another one. */
    public void strayed() {
        strays++;
        replenish();
    }

    /** A buffer that had strayed is back, and will be used. */
    public void strayReturned() {
        if (strays > 0) {
            strays--;
        } else {
            surplus++;
        }
    }

    /** Gives the buffers back that are here; those that were in the queue have been released. */
    public void close() {
        claim.close();
    }

    @Override
    public String toString() {
        return config.receives() + " shared receives of " + config.receiveBytes() + " bytes";
    }

    SharedReceives config() {
        return config;
    }

    RegisteredMemoryPool pool() {
        return pool;
    }

    /**
     * Counts one channel more.
     *
     * @throws ChannelException if there are as many as there may be
     */
    void join() {
        if (members.incrementAndGet() > config.channels()) {
            members.decrementAndGet();
            throw new ChannelException(
                    Reason.UNAVAILABLE,
                    "there are " + config.channels() + " channels on " + this
                            + " already, which is what SharedReceives allows: raise its channels, or use one more"
                            + " poller");
        }
    }

    /** Counts one channel less, which held no more than its guaranteed part. */
    void leave() {
        members.decrementAndGet();
    }

    /**
     * A channel has ended.
     *
     * @param held what it could count on
     * @param kept how many buffers somebody keeps
     */
    void leave(int held, int kept) {
        extra -= held - SharedReceives.GUARANTEED;
        missing += kept;
        leave();
        replenish();
    }

    /** A buffer that has come back from whoever kept it, or null. */
    Lease returned() {
        return claim.acquire();
    }

    /**
     * Decides how many receives a channel may count on for one that it gives back.
     *
     * @param held how many it can count on
     * @param limit how many it wants at most
     * @return 1, or 2 to grow, or 0 to shrink
     */
    int promise(int held, int limit) {
        if (grow(held, limit)) {
            return 2;
        }
        if (extra > forMany && held > fairShare()) {
            extra--;
            return 0;
        }
        return 1;
    }

    /** Lets a channel count on one receive more, if it wants it and it can be had. */
    boolean grow(int held, int limit) {
        boolean grows = held < limit && extra < (held < fairShare() ? spare : forMany);
        extra += grows ? 1 : 0;
        return grows;
    }

    private int fairShare() {
        return SharedReceives.GUARANTEED + spare / Math.max(1, members.get());
    }

    private void replenish() {
        while (missing > 0) {
            Lease lease = claim.acquire();
            if (lease == null) {
                break;
            }
            missing--;
            queue.accept(lease);
        }
        while (strays > 0) {
            Lease lease = pool.acquire(config.receiveBytes());
            if (lease == null) {
                return;
            }
            strays--;
            queue.accept(lease);
        }
    }
}

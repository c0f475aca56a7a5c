// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.Arrays;
import java.util.Objects;

/**
 * Buffers set aside for one holder, such as the receives of a connection: nobody else can take them, however empty the
 * pool is, and the holder gets no more than them. A buffer that was acquired here comes back here when it is released,
 * by whichever thread; while a user keeps some, only this holder has fewer.
 *
 * <p>Lives until closed. Methods may be called by any thread; none blocks.
 */
public final class Claim implements AutoCloseable {
    private final RegisteredMemoryPool pool;
    private final String holder;
    private final long bytes;
    private final Lease[] stock;
    private int stockCount;
    private boolean closed;

    Claim(RegisteredMemoryPool pool, String holder, long bytes, Lease[] leases) {
        this.pool = pool;
        this.holder = holder;
        this.bytes = bytes;
        this.stock = leases;
        this.stockCount = leases.length;
        for (Lease lease : leases) {
            lease.claim(this);
        }
    }

    /**
     * Takes a buffer.
     *
     * @return a lease whose length is the claimed size; null when all of the claim's buffers are out
     * @throws IllegalStateException if closed
     */
    public Lease acquire() {
        Lease lease;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException(this + " is closed");
            }
            if (stockCount == 0) {
                return null;
            }
            lease = stock[--stockCount];
            stock[stockCount] = null;
        }
        return pool.beginClaimed(lease, bytes);
    }

    /**
     * Counts the buffers that are here.
     *
     * @return how many can be acquired now
     */
    public synchronized int available() {
        return stockCount;
    }

    /**
     * Counts the buffers of the claim.
     *
     * @return how many were claimed
     */
    public int count() {
        return stock.length;
    }

    /**
     * Gives the payload size that was claimed.
     *
     * @return bytes
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Names the holder.
     *
     * @return the name given with the claim
     */
    public String holder() {
        return holder;
    }

    /** Gives the buffers back to the pool: those that are here now, the others when they are released. Idempotent. */
    @Override
    public void close() {
        Lease[] home;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            home = Arrays.copyOf(stock, stockCount);
            stockCount = 0;
        }
        for (Lease lease : home) {
            lease.claim(null);
            pool.giveBack(lease);
        }
        pool.forget(this);
    }

    @Override
    public String toString() {
        return "claim of " + stock.length + " buffers of " + Bytes.text(bytes) + " for " + holder;
    }

    /** Takes a released buffer in; false when the claim is closed. */
    synchronized boolean takeBack(Lease lease) {
        Objects.requireNonNull(lease);
        if (closed) {
            return false;
        }
        stock[stockCount++] = lease;
        return true;
    }
}

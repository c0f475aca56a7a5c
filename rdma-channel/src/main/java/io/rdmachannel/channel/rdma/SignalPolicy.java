// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

/**
 * Which posts ask for a completion: every operation that somebody waits for, and of the others at least one in a
 * quarter of the queue, since an entry of the queue is free only once a later completion says so. In long queues it is
 * one in 64, since the buffers of the posts are held that long too.
 */
final class SignalPolicy {
    private static final int PARTS = 4;
    private static final int INTERVAL_MAX = 64;

    private final int interval;
    private long lastSignaled;

    SignalPolicy(int depth) {
        this.interval = Math.clamp(depth / PARTS, 1, INTERVAL_MAX);
    }

    /** Whether the post of this number is to be signaled. */
    boolean wants(long number, boolean awaited) {
        return awaited || number - lastSignaled >= interval;
    }

    /** Remembers that the post of this number is. */
    void signaled(long number) {
        lastSignaled = number;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelException;

/**
 * Counts what the links may have outstanding, so that it never exceeds the completion queue: an overrun would break all
 * of them. Any thread.
 */
final class Admission {
    private final int capacity;
    private int taken;
    private volatile int retired;

    Admission(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Takes room for a link.
     *
     * @throws ChannelException if there is not so much
     */
    synchronized void take(int completions) {
        if (completions > capacity - taken) {
            throw new ChannelException(
                    ChannelException.Reason.UNAVAILABLE,
                    "a link that can have " + completions + " completions outstanding does not fit: the poller's"
                            + " completion queue has room for " + capacity + ", and " + taken + " of them are taken."
                            + " Raise completionQueueCapacity of its PollerConfig, lower sendDepth or receiveDepth,"
                            + " or spread the channels over more pollers.");
        }
        taken += completions;
    }

    /** Gives room back at once: none of it is in the queue any more. */
    synchronized void release(int completions) {
        taken -= completions;
    }

    /** Gives room back that counts again once the queue has been seen empty: some of it may still be in there. */
    synchronized void retire(int completions) {
        retired += completions;
    }

    /** What waits for the queue to be seen empty. */
    int retired() {
        return retired;
    }

    /** The queue has been empty since {@link #retired} told this number. */
    synchronized void settle(int completions) {
        retired -= completions;
        taken -= completions;
    }
}

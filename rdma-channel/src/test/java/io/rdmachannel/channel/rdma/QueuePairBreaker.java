// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.core.Link;

/** Breaks what a link over RDMA goes over, on any device. */
public final class QueuePairBreaker {
    private QueuePairBreaker() {}

    /** Moves a link's queue pair to ERROR, of which the link is not told; in its poller's thread. */
    public static void moveToError(Link link) {
        ((RdmaLink) link).endpoint().queuePair().moveToError();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import java.util.Objects;

/**
 * How a shared receive queue is made. A plain value.
 *
 * @param maxRequests how many receives must fit, at least 1; more may be granted
 * @param maxScatterGather how many pieces of memory a receive can name, at least 1
 * @param sharing who may use it
 */
public record SharedReceiveQueueConfig(int maxRequests, int maxScatterGather, ThreadSharing sharing) {
    /** Checks what can be checked without the device. */
    public SharedReceiveQueueConfig {
        Ranges.require("maxRequests", maxRequests, 1, Integer.MAX_VALUE);
        Ranges.require("maxScatterGather", maxScatterGather, 1, Integer.MAX_VALUE);
        Objects.requireNonNull(sharing, "sharing");
    }

    /**
     * A queue for any thread.
     *
     * @param maxRequests how many receives must fit, at least 1
     * @param maxScatterGather how many pieces of memory a receive can name, at least 1
     * @return the configuration
     */
    public static SharedReceiveQueueConfig of(int maxRequests, int maxScatterGather) {
        return new SharedReceiveQueueConfig(maxRequests, maxScatterGather, ThreadSharing.SHARED);
    }
}

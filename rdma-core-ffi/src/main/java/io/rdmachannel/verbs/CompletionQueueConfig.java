// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import java.util.Objects;

/**
 * How a completion queue is made. A plain value.
 *
 * @param capacity how many completions must fit, from 1 to the device's limit; more may be granted
 * @param channel where it announces completions, or null for a queue that is only polled
 * @param completionVector which interrupt vector announces them, from 0 to the number of vectors of the context - 1
 * @param sharing who may use it
 */
public record CompletionQueueConfig(
        int capacity, CompletionChannel channel, int completionVector, ThreadSharing sharing) {
    /** Checks what can be checked without the device. */
    public CompletionQueueConfig {
        Ranges.require("capacity", capacity, 1, Integer.MAX_VALUE);
        Ranges.require("completionVector", completionVector, 0, Integer.MAX_VALUE);
        Objects.requireNonNull(sharing, "sharing");
    }

    /**
     * A queue for any thread, without a channel.
     *
     * @param capacity how many completions must fit, at least 1
     * @return the configuration
     */
    public static CompletionQueueConfig ofCapacity(int capacity) {
        return new CompletionQueueConfig(capacity, null, 0, ThreadSharing.SHARED);
    }

    /**
     * The same with a channel.
     *
     * @param newChannel where completions are announced
     * @return a changed copy
     */
    public CompletionQueueConfig on(CompletionChannel newChannel) {
        return new CompletionQueueConfig(capacity, newChannel, completionVector, sharing);
    }

    /**
     * The same with another completion vector.
     *
     * @param newVector the vector, from 0
     * @return a changed copy
     */
    public CompletionQueueConfig onVector(int newVector) {
        return new CompletionQueueConfig(capacity, channel, newVector, sharing);
    }

    /**
     * The same for other threads.
     *
     * @param newSharing who may use it
     * @return a changed copy
     */
    public CompletionQueueConfig sharedAs(ThreadSharing newSharing) {
        return new CompletionQueueConfig(capacity, channel, completionVector, newSharing);
    }
}

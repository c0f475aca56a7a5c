// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

/**
 * In which order a parent closes its children: users of a thing before the thing. The order is that of the declaration.
 */
public enum CloseOrder {
    /** Connection identifiers, which may own a queue pair. */
    CONNECTION,
    /**
     * Memory windows, before the regions and the queue pairs that they are bound to: Soft-RoCE waits 50 s for a window
     * of type 2 when its queue pair goes first, and then warns.
     */
    MEMORY_WINDOW,
    /** Queue pairs, before the queues and memory that they use. */
    QUEUE_PAIR,
    /** Shared receive queues, after the queue pairs attached to them. */
    SHARED_RECEIVE_QUEUE,
    /** Address handles. */
    ADDRESS_HANDLE,
    /** Completion queues. */
    COMPLETION_QUEUE,
    /** Completion channels, after their completion queues. */
    COMPLETION_CHANNEL,
    /** Memory regions. */
    MEMORY_REGION,
    /** Protection domains, after all that was made in them. */
    PROTECTION_DOMAIN,
    /** Device contexts and event channels, last. */
    CONTEXT
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/** What a poller's thread does while nothing happens. */
public enum CompletionMode {
    /** Looks again at once: the lowest latency, for one processor. */
    BUSY_POLL,
    /** Sleeps until the kernel wakes it: uses no processor while idle, and takes a wake-up longer. */
    EVENT,
    /** Looks again for a configured time, then sleeps. */
    ADAPTIVE
}

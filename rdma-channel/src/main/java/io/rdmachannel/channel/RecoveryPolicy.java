// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/**
 * What a channel does when its data path, its control connection or its peer's heartbeats are lost. Both sides must
 * want more than {@link #FAIL} for a recovery, and connect by {@link ConnectionMethod#TCP_EXCHANGE}; the connecting
 * side connects anew, the accepting side waits for it at the listener, which must be open still.
 *
 * <p>After a recovery messages go on where they stood: nothing is lost, nothing is told twice, and all is in order.
 * Writes and reads that have not ended are done again, while the region is exposed; atomics end with
 * {@link Outcome#UNKNOWN}. A breach of the protocol, a refused access and an exception of the handler always end the
 * channel.
 */
public enum RecoveryPolicy {
    /** The channel fails. */
    FAIL,
    /** What is sent has to wait until the same transport works again, at most recoveryTimeout. */
    BLOCK,
    /**
     * A channel over RDMA goes on over TCP at once, and returns to RDMA when that works again. Otherwise like
     * {@link #BLOCK}.
     */
    DEGRADE
}

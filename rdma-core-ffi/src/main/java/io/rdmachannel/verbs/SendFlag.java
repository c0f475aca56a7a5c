// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.Set;
import java.util.function.IntSupplier;

/** How a send work request is to be carried out. See {@code ibv_post_send(3)}. */
public enum SendFlag {
    /** Starts only when all earlier reads and atomics of the queue pair are done. */
    FENCE(ibverbs_constants::IBV_SEND_FENCE),
    /**
     * Reports its completion. Requests without it report failures only, and their place in the send queue is free again
     * once a later request with the flag has completed: set it at least once per length of the queue.
     */
    SIGNALED(ibverbs_constants::IBV_SEND_SIGNALED),
    /** Wakes a peer that waits for solicited completions only. */
    SOLICITED(ibverbs_constants::IBV_SEND_SOLICITED),
    /**
     * The bytes are copied into the request when it is posted: no local key needed, and the buffer is free at once. At
     * most the granted {@link QueuePairCapabilities#maxInlineBytes()}; for sends and writes, not for reads.
     */
    INLINE(ibverbs_constants::IBV_SEND_INLINE),
    /** The adapter fills in the IPv4 and the TCP or UDP checksum. */
    IP_CHECKSUM(ibverbs_constants::IBV_SEND_IP_CSUM);

    private final IntSupplier bit;

    SendFlag(IntSupplier bit) {
        this.bit = bit;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final BitFlags<SendFlag> TABLE = new BitFlags<>(SendFlag.class, flag -> flag.bit);
    }

    int bit() {
        return Numbers.TABLE.bit(this);
    }

    static int bits(Set<SendFlag> flags) {
        return Numbers.TABLE.bits(flags);
    }

    static Set<SendFlag> of(int bits) {
        return Numbers.TABLE.of(bits);
    }
}

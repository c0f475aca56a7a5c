// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** What a successful completion carries beyond its length. See {@code ibv_poll_cq(3)}. */
public enum WorkCompletionFlag {
    /** The first 40 bytes of the receive buffer hold the global routing header; of datagram queue pairs. */
    GLOBAL_ROUTING_HEADER(ibverbs_constants::IBV_WC_GRH),
    /** Immediate data came with it. */
    WITH_IMMEDIATE(ibverbs_constants::IBV_WC_WITH_IMM),
    /** The adapter found the IPv4 and the TCP or UDP checksum right. */
    IP_CHECKSUM_OK(ibverbs_constants::IBV_WC_IP_CSUM_OK),
    /** The peer invalidated one of this side's keys, which the completion names. */
    WITH_INVALIDATE(ibverbs_constants::IBV_WC_WITH_INV),
    /** Of tag matching: the lists have to be brought in step. */
    TAG_SYNC_REQUIRED(ibverbs_constants::IBV_WC_TM_SYNC_REQ),
    /** Of tag matching: a tag was found. */
    TAG_MATCHED(ibverbs_constants::IBV_WC_TM_MATCH),
    /** Of tag matching: all of the data is in the buffer. */
    TAG_DATA_VALID(ibverbs_constants::IBV_WC_TM_DATA_VALID);

    private final IntSupplier bit;

    WorkCompletionFlag(IntSupplier bit) {
        this.bit = bit;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final BitFlags<WorkCompletionFlag> TABLE = new BitFlags<>(WorkCompletionFlag.class, flag -> flag.bit);
        static final int KNOWN_BITS = TABLE.bits(EnumSet.allOf(WorkCompletionFlag.class));
        /** Every set that there can be, by its bits, so that polling does not allocate. */
        static final List<Set<WorkCompletionFlag>> SETS =
                IntStream.rangeClosed(0, KNOWN_BITS).mapToObj(TABLE::of).toList();
    }

    int bit() {
        return Numbers.TABLE.bit(this);
    }

    boolean isIn(int bits) {
        return (bits & bit()) != 0;
    }

    static int bits(Set<WorkCompletionFlag> flags) {
        return Numbers.TABLE.bits(flags);
    }

    static Set<WorkCompletionFlag> of(int bits) {
        return Numbers.SETS.get(bits & Numbers.KNOWN_BITS);
    }
}

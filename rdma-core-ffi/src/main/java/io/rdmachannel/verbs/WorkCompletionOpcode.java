// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/**
 * What kind of work a completion reports. It means something only when the status is
 * {@link WorkCompletionStatus#SUCCESS}: of failed work some drivers report zero, which reads as {@link #SEND}, for
 * receives too. See {@code ibv_poll_cq(3)}.
 */
public enum WorkCompletionOpcode {
    /** A send, of any kind. */
    SEND(ibverbs_constants::IBV_WC_SEND),
    /** A write into the peer's memory, with or without immediate. */
    RDMA_WRITE(ibverbs_constants::IBV_WC_RDMA_WRITE),
    /** A read from the peer's memory. */
    RDMA_READ(ibverbs_constants::IBV_WC_RDMA_READ),
    /** A compare-and-swap in the peer's memory. */
    COMPARE_AND_SWAP(ibverbs_constants::IBV_WC_COMP_SWAP),
    /** A fetch-and-add in the peer's memory. */
    FETCH_AND_ADD(ibverbs_constants::IBV_WC_FETCH_ADD),
    /** A bind of a memory window. */
    BIND_MEMORY_WINDOW(ibverbs_constants::IBV_WC_BIND_MW),
    /** An invalidation of a key on this side. */
    LOCAL_INVALIDATE(ibverbs_constants::IBV_WC_LOCAL_INV),
    /** A send that the adapter cut into TCP segments; of raw packet queue pairs. */
    TSO(ibverbs_constants::IBV_WC_TSO),
    /** An atomic write of 8 bytes. */
    ATOMIC_WRITE(ibverbs_constants::IBV_WC_ATOMIC_WRITE),
    /** A receive that a send has filled. */
    RECEIVE(ibverbs_constants::IBV_WC_RECV),
    /** A receive consumed by a peer's write with immediate; the data went to the address that the peer named. */
    RECEIVE_RDMA_WITH_IMMEDIATE(ibverbs_constants::IBV_WC_RECV_RDMA_WITH_IMM),
    /** Of tag matching: a tag was added. */
    TAG_ADD(ibverbs_constants::IBV_WC_TM_ADD),
    /** Of tag matching: a tag was removed. */
    TAG_DELETE(ibverbs_constants::IBV_WC_TM_DEL),
    /** Of tag matching: lists were brought in step. */
    TAG_SYNC(ibverbs_constants::IBV_WC_TM_SYNC),
    /** Of tag matching: a receive found its tag. */
    TAG_RECEIVE(ibverbs_constants::IBV_WC_TM_RECV),
    /** Of tag matching: a receive without a tag. */
    TAG_RECEIVE_NO_TAG(ibverbs_constants::IBV_WC_TM_NO_TAG),
    /** An opcode of one driver alone, or one that this version does not know. */
    UNKNOWN(RawValues::none);

    private final IntSupplier raw;

    WorkCompletionOpcode(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<WorkCompletionOpcode> TABLE =
                new RawValues<>(values(), constant -> constant.raw, UNKNOWN);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }

    /**
     * Finds the constant of a number, as it stands in a completion. Allocates nothing.
     *
     * @param raw the number; any value
     * @return its constant, {@link #UNKNOWN} for a number that this version does not know
     */
    public static WorkCompletionOpcode of(int raw) {
        return Numbers.TABLE.of(raw);
    }

    /**
     * Says whether the completion took a posted receive. The header numbers these so that one bit tells.
     *
     * @return true for receives; false for {@link #UNKNOWN}
     */
    public boolean isReceive() {
        return this != UNKNOWN && (raw() & ibverbs_constants.IBV_WC_RECV()) != 0;
    }
}

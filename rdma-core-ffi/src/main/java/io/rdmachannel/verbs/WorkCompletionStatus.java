// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/**
 * How a work request ended, with what that usually means and what to do about it. After anything but {@link #SUCCESS}
 * only the request's identifier, the status, the vendor's error and the queue pair number mean something, and a
 * reliable or unreliable connection is broken: fix the cause, then connect anew. Which one of several fitting errors a
 * device reports differs from device to device. See {@code ibv_poll_cq(3)}.
 */
public enum WorkCompletionStatus {
    /** It is done. For a write or send: the peer's adapter has it; not that the peer's program has looked at it. */
    SUCCESS(ibverbs_constants::IBV_WC_SUCCESS),
    /**
     * A length does not fit: a posted receive is smaller than the message, or a send is larger than the port's maximum.
     * Post larger receives, or cut the message.
     */
    LOCAL_LENGTH_ERROR(ibverbs_constants::IBV_WC_LOC_LEN_ERR),
    /**
     * The local queue pair could not do what was asked: an illegal opcode or length, an internal inconsistency, and on
     * Soft-RoCE also no route to the peer or a receive that is too small. Check the request; then treat it as a lost
     * path.
     */
    LOCAL_QUEUE_PAIR_OPERATION_ERROR(ibverbs_constants::IBV_WC_LOC_QP_OP_ERR),
    /** Of reliable datagrams, which no present device has. */
    LOCAL_END_TO_END_CONTEXT_OPERATION_ERROR(ibverbs_constants::IBV_WC_LOC_EEC_OP_ERR),
    /**
     * A scatter-gather entry is not covered by its local key: wrong key, out of the region's bounds, region closed or
     * of another protection domain, or no {@link AccessFlag#LOCAL_WRITE} for data that comes in. Correct the entry.
     */
    LOCAL_PROTECTION_ERROR(ibverbs_constants::IBV_WC_LOC_PROT_ERR),
    /**
     * Not carried out, because the queue pair had gone to its error state before. This one is a consequence: the cause
     * is the first completion with another status, or whoever moved the queue pair or closed the connection.
     */
    FLUSHED(ibverbs_constants::IBV_WC_WR_FLUSH_ERR),
    /**
     * A memory window could not be bound: the region lacks {@link AccessFlag#MEMORY_WINDOW_BIND}, or bad bounds or
     * key.
     */
    MEMORY_WINDOW_BIND_ERROR(ibverbs_constants::IBV_WC_MW_BIND_ERR),
    /** The peer sent an answer that makes no sense. Connect anew; when it comes back, suspect driver or firmware. */
    BAD_RESPONSE_ERROR(ibverbs_constants::IBV_WC_BAD_RESP_ERR),
    /** Data that came with a write with immediate could not be placed locally. Check region and rights. */
    LOCAL_ACCESS_ERROR(ibverbs_constants::IBV_WC_LOC_ACCESS_ERR),
    /**
     * The peer refused the request as such: its receive buffer is too small, an operation that its queue pair does not
     * permit, a misaligned atomic, or more outstanding reads than it granted. Agree on sizes and limits at connect.
     */
    REMOTE_INVALID_REQUEST_ERROR(ibverbs_constants::IBV_WC_REM_INV_REQ_ERR),
    /**
     * The peer's memory protection refused: wrong or outdated remote key, out of bounds, or the right for this
     * operation is missing in the peer's region or queue pair. Exchange the keys again.
     */
    REMOTE_ACCESS_ERROR(ibverbs_constants::IBV_WC_REM_ACCESS_ERR),
    /** The peer's side failed while it carried the request out, often on its own receive buffers. Look at its log. */
    REMOTE_OPERATION_ERROR(ibverbs_constants::IBV_WC_REM_OP_ERR),
    /**
     * No acknowledgement within timeout and retries: peer or path is dead, the peer's queue pair was never ready or
     * already closed, or the path MTU or GID is wrong. Connect anew. A retry count of 7 never ends this way on
     * Soft-RoCE.
     */
    RETRY_EXCEEDED_ERROR(ibverbs_constants::IBV_WC_RETRY_EXC_ERR),
    /** The peer had no receive posted for longer than the RNR retries last. Post receives earlier, or keep credits. */
    RECEIVER_NOT_READY_RETRY_EXCEEDED_ERROR(ibverbs_constants::IBV_WC_RNR_RETRY_EXC_ERR),
    /** Of reliable datagrams, which no present device has. */
    LOCAL_RELIABLE_DATAGRAM_DOMAIN_VIOLATION_ERROR(ibverbs_constants::IBV_WC_LOC_RDD_VIOL_ERR),
    /** Of reliable datagrams, which no present device has. */
    REMOTE_INVALID_RELIABLE_DATAGRAM_REQUEST_ERROR(ibverbs_constants::IBV_WC_REM_INV_RD_REQ_ERR),
    /** The peer gave the operation up. Connect anew. */
    REMOTE_ABORTED_ERROR(ibverbs_constants::IBV_WC_REM_ABORT_ERR),
    /** Of reliable datagrams, which no present device has. */
    INVALID_END_TO_END_CONTEXT_NUMBER_ERROR(ibverbs_constants::IBV_WC_INV_EECN_ERR),
    /** Of reliable datagrams, which no present device has. */
    INVALID_END_TO_END_CONTEXT_STATE_ERROR(ibverbs_constants::IBV_WC_INV_EEC_STATE_ERR),
    /** The device itself failed. Close and open the device; expect {@link AsyncEventType#DEVICE_FATAL}. */
    FATAL_ERROR(ibverbs_constants::IBV_WC_FATAL_ERR),
    /** An answer did not come in time. Treat it as a lost path. */
    RESPONSE_TIMEOUT_ERROR(ibverbs_constants::IBV_WC_RESP_TIMEOUT_ERR),
    /** Something else; the vendor's error number tells more to the vendor. Connect anew. */
    GENERAL_ERROR(ibverbs_constants::IBV_WC_GENERAL_ERR),
    /** A tag matching operation failed. */
    TAG_MATCHING_ERROR(ibverbs_constants::IBV_WC_TM_ERR),
    /** A tag matching rendezvous has to be finished by software. */
    TAG_MATCHING_RENDEZVOUS_INCOMPLETE(ibverbs_constants::IBV_WC_TM_RNDV_INCOMPLETE),
    /** A status that this version does not know: an error, of which only the raw number can be reported. */
    UNKNOWN(RawValues::none);

    private final IntSupplier raw;

    WorkCompletionStatus(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<WorkCompletionStatus> TABLE =
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
    public static WorkCompletionStatus of(int raw) {
        return Numbers.TABLE.of(raw);
    }
}

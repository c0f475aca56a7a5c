// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/**
 * Where a queue pair stands. Which moves there are, and what each needs, is in {@link QueuePairTransitions}. See
 * {@code ibv_modify_qp(3)}.
 */
public enum QueuePairState {
    /** As made, or emptied: nothing may be posted. */
    RESET(ibverbs_constants::IBV_QPS_RESET),
    /** Port and rights are set: receives may be posted, nothing arrives yet. */
    INIT(ibverbs_constants::IBV_QPS_INIT),
    /** Knows its peer and receives; sends may not be posted. */
    READY_TO_RECEIVE(ibverbs_constants::IBV_QPS_RTR),
    /** Receives and sends. */
    READY_TO_SEND(ibverbs_constants::IBV_QPS_RTS),
    /** Receives; what was being sent is finished, what is posted waits. */
    SEND_QUEUE_DRAINED(ibverbs_constants::IBV_QPS_SQD),
    /** Receives; a send failed, and sends are flushed. Of unreliable types, which recover by going to READY_TO_SEND. */
    SEND_QUEUE_ERROR(ibverbs_constants::IBV_QPS_SQE),
    /** Broken or shut down: what is posted, and what will be, completes as {@link WorkCompletionStatus#FLUSHED}. */
    ERROR(ibverbs_constants::IBV_QPS_ERR),
    /** A state that the driver could not tell, or that this version does not know. */
    UNKNOWN(ibverbs_constants::IBV_QPS_UNKNOWN);

    private final IntSupplier raw;

    QueuePairState(IntSupplier raw) {
        this.raw = raw;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<QueuePairState> TABLE = new RawValues<>(values(), constant -> constant.raw, UNKNOWN);
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }

    static QueuePairState of(int raw) {
        return Numbers.TABLE.of(raw);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * The attributes of a queue pair that a change can set. Which of them a move between states needs and permits is in
 * {@link QueuePairTransitions}. See {@code ibv_modify_qp(3)}.
 */
public enum QueuePairAttribute {
    /** The state to go to. */
    STATE(ibverbs_constants::IBV_QP_STATE),
    /** The state that the caller believes the queue pair to be in. */
    CURRENT_STATE(ibverbs_constants::IBV_QP_CUR_STATE),
    /** Whether an event tells that the send queue has drained. */
    ENABLE_SQD_ASYNC_NOTIFY(ibverbs_constants::IBV_QP_EN_SQD_ASYNC_NOTIFY),
    /** What the peer may do: write, read, atomics. */
    ACCESS_FLAGS(ibverbs_constants::IBV_QP_ACCESS_FLAGS),
    /** Which entry of the port's partition key table to use. */
    PARTITION_KEY_INDEX(ibverbs_constants::IBV_QP_PKEY_INDEX),
    /** The local port, counted from 1. */
    PORT(ibverbs_constants::IBV_QP_PORT),
    /** The key that datagrams must carry. */
    QUEUE_KEY(ibverbs_constants::IBV_QP_QKEY),
    /** The address of the peer. */
    ADDRESS_VECTOR(ibverbs_constants::IBV_QP_AV),
    /** The largest packet on the path. */
    PATH_MTU(ibverbs_constants::IBV_QP_PATH_MTU),
    /** How long to wait for an acknowledgement: 4.096 microseconds times 2 to this power, 0 to 31; 0 waits for ever. */
    TIMEOUT(ibverbs_constants::IBV_QP_TIMEOUT),
    /** How often to repeat without an acknowledgement, 0 to 7. Soft-RoCE takes 7 for ever. */
    RETRY_COUNT(ibverbs_constants::IBV_QP_RETRY_CNT),
    /** How often to repeat when the peer has no receive posted, 0 to 6; 7 is for ever. */
    RNR_RETRY(ibverbs_constants::IBV_QP_RNR_RETRY),
    /** The sequence number that the first packet from the peer has, 24 bits. */
    RECEIVE_PACKET_SEQUENCE_NUMBER(ibverbs_constants::IBV_QP_RQ_PSN),
    /** How many reads and atomics this side may have under way at a time. */
    MAX_OUTSTANDING_READS(ibverbs_constants::IBV_QP_MAX_QP_RD_ATOMIC),
    /** The second path, for automatic migration. */
    ALTERNATE_PATH(ibverbs_constants::IBV_QP_ALT_PATH),
    /**
     * How long the peer waits before it repeats, when this side has no receive posted; a code 0 to 31, 0 the longest.
     */
    MIN_RNR_TIMER(ibverbs_constants::IBV_QP_MIN_RNR_TIMER),
    /** The sequence number of the first packet to the peer, 24 bits. */
    SEND_PACKET_SEQUENCE_NUMBER(ibverbs_constants::IBV_QP_SQ_PSN),
    /** How many reads and atomics of the peer this side serves at a time. */
    MAX_RESPONDER_READS(ibverbs_constants::IBV_QP_MAX_DEST_RD_ATOMIC),
    /** Where automatic path migration stands. */
    PATH_MIGRATION_STATE(ibverbs_constants::IBV_QP_PATH_MIG_STATE),
    /** The depths of the queues, on devices that can resize them. */
    CAPABILITIES(ibverbs_constants::IBV_QP_CAP),
    /** The number of the peer's queue pair, 24 bits. */
    DESTINATION_QUEUE_PAIR_NUMBER(ibverbs_constants::IBV_QP_DEST_QPN),
    /** The sending rate, in kilobits per second. */
    RATE_LIMIT(ibverbs_constants::IBV_QP_RATE_LIMIT);

    private final IntSupplier bit;

    QueuePairAttribute(IntSupplier bit) {
        this.bit = bit;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final BitFlags<QueuePairAttribute> TABLE = new BitFlags<>(QueuePairAttribute.class, flag -> flag.bit);
    }

    int bit() {
        return Numbers.TABLE.bit(this);
    }

    static int bits(Set<QueuePairAttribute> attributes) {
        return Numbers.TABLE.bits(attributes);
    }

    static Set<QueuePairAttribute> of(int bits) {
        return Numbers.TABLE.of(bits);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.function.IntSupplier;

/**
 * What a device tells outside of completions, and about which kind of thing. See {@code ibv_get_async_event(3)}.
 */
public enum AsyncEventType {
    /** A completion queue overran or broke: completions are lost, and the queue pairs that use it are done for. */
    COMPLETION_QUEUE_ERROR(ibverbs_constants::IBV_EVENT_CQ_ERR, Scope.COMPLETION_QUEUE),
    /** A queue pair broke and went to its error state, without a completion that could say so. */
    QUEUE_PAIR_FATAL(ibverbs_constants::IBV_EVENT_QP_FATAL, Scope.QUEUE_PAIR),
    /** The peer sent a request that the queue pair must not serve. */
    QUEUE_PAIR_REQUEST_ERROR(ibverbs_constants::IBV_EVENT_QP_REQ_ERR, Scope.QUEUE_PAIR),
    /** The peer tried what its rights do not cover. */
    QUEUE_PAIR_ACCESS_ERROR(ibverbs_constants::IBV_EVENT_QP_ACCESS_ERR, Scope.QUEUE_PAIR),
    /** The first packet came in while the queue pair was only ready to receive: the peer is there. */
    COMMUNICATION_ESTABLISHED(ibverbs_constants::IBV_EVENT_COMM_EST, Scope.QUEUE_PAIR),
    /** What was being sent is finished. */
    SEND_QUEUE_DRAINED(ibverbs_constants::IBV_EVENT_SQ_DRAINED, Scope.QUEUE_PAIR),
    /** The connection has moved to its alternate path. */
    PATH_MIGRATED(ibverbs_constants::IBV_EVENT_PATH_MIG, Scope.QUEUE_PAIR),
    /** The connection could not move to its alternate path. */
    PATH_MIGRATION_ERROR(ibverbs_constants::IBV_EVENT_PATH_MIG_ERR, Scope.QUEUE_PAIR),
    /** The device failed or was removed: nothing made from its context works any more; close all of it. */
    DEVICE_FATAL(ibverbs_constants::IBV_EVENT_DEVICE_FATAL, Scope.DEVICE),
    /** A port became active. */
    PORT_ACTIVE(ibverbs_constants::IBV_EVENT_PORT_ACTIVE, Scope.PORT),
    /** A port lost its link. */
    PORT_ERROR(ibverbs_constants::IBV_EVENT_PORT_ERR, Scope.PORT),
    /** The LID of a port changed: peers that know the old one do not reach it. */
    LID_CHANGE(ibverbs_constants::IBV_EVENT_LID_CHANGE, Scope.PORT),
    /** The partition key table of a port changed. */
    PARTITION_KEY_CHANGE(ibverbs_constants::IBV_EVENT_PKEY_CHANGE, Scope.PORT),
    /** Another subnet manager took over. */
    SUBNET_MANAGER_CHANGE(ibverbs_constants::IBV_EVENT_SM_CHANGE, Scope.PORT),
    /** A shared receive queue broke. */
    SHARED_RECEIVE_QUEUE_ERROR(ibverbs_constants::IBV_EVENT_SRQ_ERR, Scope.SHARED_RECEIVE_QUEUE),
    /** A shared receive queue holds fewer requests than its limit: post more, and arm the limit again. */
    SHARED_RECEIVE_QUEUE_LIMIT_REACHED(ibverbs_constants::IBV_EVENT_SRQ_LIMIT_REACHED, Scope.SHARED_RECEIVE_QUEUE),
    /** A queue pair in its error state takes no more from its shared receive queue: it may be destroyed. */
    QUEUE_PAIR_LAST_WORK_REQUEST_REACHED(ibverbs_constants::IBV_EVENT_QP_LAST_WQE_REACHED, Scope.QUEUE_PAIR),
    /** The subnet manager asks to register again, with multicast groups for one. */
    CLIENT_REREGISTER(ibverbs_constants::IBV_EVENT_CLIENT_REREGISTER, Scope.PORT),
    /** The GID table of a port changed: indexes and addresses may have, too. */
    GID_CHANGE(ibverbs_constants::IBV_EVENT_GID_CHANGE, Scope.PORT),
    /** A work queue, of receive side scaling, broke. */
    WORK_QUEUE_FATAL(ibverbs_constants::IBV_EVENT_WQ_FATAL, Scope.WORK_QUEUE),
    /** An event that this version does not know. */
    UNKNOWN(RawValues::none, Scope.UNKNOWN);

    private final IntSupplier raw;
    private final Scope scope;

    AsyncEventType(IntSupplier raw, Scope scope) {
        this.raw = raw;
        this.scope = scope;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<AsyncEventType> TABLE = new RawValues<>(values(), constant -> constant.raw, UNKNOWN);
    }

    /** What an event is about, which also says what its element is. */
    public enum Scope {
        /** One queue pair. */
        QUEUE_PAIR,
        /** One completion queue. */
        COMPLETION_QUEUE,
        /** One shared receive queue. */
        SHARED_RECEIVE_QUEUE,
        /** One work queue of receive side scaling, which this library does not make. */
        WORK_QUEUE,
        /** One port, by its number. */
        PORT,
        /** The whole device; there is no element. */
        DEVICE,
        /** Not known: the element must not be looked at. */
        UNKNOWN
    }

    /**
     * Says what the event is about.
     *
     * @return the kind of its element
     */
    public Scope scope() {
        return scope;
    }

    int raw() {
        return Numbers.TABLE.raw(this);
    }

    static AsyncEventType of(int raw) {
        return Numbers.TABLE.of(raw);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_qp_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibv_qp_init_attr;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * What a queue pair reports of itself ({@code ibv_query_qp(3)}). A plain value; before the move that sets it, an
 * attribute holds whatever the driver has there.
 *
 * @param state the state
 * @param pathMtu the largest packet, or null before it is set
 * @param access what peers may do
 * @param destinationQueuePairNumber the peer's number
 * @param sendPacketSequenceNumber the number of the next packet sent
 * @param receivePacketSequenceNumber the number of the next packet expected
 * @param maxOutstandingReads reads and atomics of this side under way
 * @param maxResponderReads reads and atomics of the peer answered at a time
 * @param minRnrTimer code of the time that peers wait for a receive
 * @param timeout exponent of the time to an acknowledgement
 * @param retryCount how often to send again
 * @param rnrRetry how often to send again for a missing receive
 * @param port the port
 * @param capabilities the granted sizes
 */
public record QueuePairAttributes(
        QueuePairState state,
        PathMtu pathMtu,
        Set<AccessFlag> access,
        int destinationQueuePairNumber,
        int sendPacketSequenceNumber,
        int receivePacketSequenceNumber,
        int maxOutstandingReads,
        int maxResponderReads,
        int minRnrTimer,
        int timeout,
        int retryCount,
        int rnrRetry,
        int port,
        QueuePairCapabilities capabilities) {
    static QueuePairAttributes from(MemorySegment attributes, MemorySegment initial) {
        int mtu = ibv_qp_attr.path_mtu(attributes);
        return new QueuePairAttributes(
                QueuePairState.of(ibv_qp_attr.qp_state(attributes)),
                mtu == 0 ? null : PathMtu.of(mtu),
                AccessFlag.of(ibv_qp_attr.qp_access_flags(attributes)),
                ibv_qp_attr.dest_qp_num(attributes),
                ibv_qp_attr.sq_psn(attributes),
                ibv_qp_attr.rq_psn(attributes),
                Byte.toUnsignedInt(ibv_qp_attr.max_rd_atomic(attributes)),
                Byte.toUnsignedInt(ibv_qp_attr.max_dest_rd_atomic(attributes)),
                Byte.toUnsignedInt(ibv_qp_attr.min_rnr_timer(attributes)),
                Byte.toUnsignedInt(ibv_qp_attr.timeout(attributes)),
                Byte.toUnsignedInt(ibv_qp_attr.retry_cnt(attributes)),
                Byte.toUnsignedInt(ibv_qp_attr.rnr_retry(attributes)),
                Byte.toUnsignedInt(ibv_qp_attr.port_num(attributes)),
                QueuePairCapabilities.from(ibv_qp_init_attr.cap(initial)));
    }
}

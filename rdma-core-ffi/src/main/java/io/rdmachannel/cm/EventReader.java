// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.generated.ibverbs.ibv_ah_attr;
import io.rdmachannel.ffi.generated.rdmacm.rdma_cm_event;
import io.rdmachannel.ffi.generated.rdmacm.rdma_conn_param;
import io.rdmachannel.ffi.generated.rdmacm.rdma_ud_param;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** Copies what an event carries, before the library frees it. */
final class EventReader {
    private static final int QUEUE_PAIR_NUMBER_BITS = 0xFF_FFFF;
    private static final int THREE_BITS = 7;

    private EventReader() {}

    /**
     * Gives the status. Where the library itself gave up while it took the event, it left -1, and the cause in errno.
     */
    static int status(MemorySegment event, ConnectionEventType type) {
        int status = rdma_cm_event.status(event);
        boolean byLibrary =
                status == -1 && (type == ConnectionEventType.ADDRESS_ERROR || type == ConnectionEventType.ROUTE_ERROR);
        return byLibrary && Errno.captured() > 0 ? -Errno.captured() : status;
    }

    static ConnectionEvent.Details details(MemorySegment event, ConnectionEventType type, PortSpace space) {
        return switch (type) {
            case CONNECT_REQUEST, CONNECT_RESPONSE, ESTABLISHED, REJECTED, DISCONNECTED, MULTICAST_JOINED ->
                space.isDatagram() ? datagram(event, type) : connection(event, type);
            default -> ConnectionEvent.Details.NONE;
        };
    }

    private static ConnectionEvent.Details connection(MemorySegment event, ConnectionEventType type) {
        MemorySegment values = rdma_cm_event.param.conn(rdma_cm_event.param(event));
        byte[] privateData = copy(
                rdma_conn_param.private_data(values), Byte.toUnsignedInt(rdma_conn_param.private_data_len(values)));
        boolean hasParameters = type != ConnectionEventType.REJECTED && type != ConnectionEventType.DISCONNECTED;
        return new ConnectionEvent.Details(privateData, hasParameters ? parameters(values, privateData) : null, null);
    }

    private static ConnectionParameters parameters(MemorySegment values, byte[] privateData) {
        return new ConnectionParameters(
                rdma_conn_param.qp_num(values) & QUEUE_PAIR_NUMBER_BITS,
                Byte.toUnsignedInt(rdma_conn_param.responder_resources(values)),
                Byte.toUnsignedInt(rdma_conn_param.initiator_depth(values)),
                rdma_conn_param.flow_control(values) != 0,
                rdma_conn_param.retry_count(values) & THREE_BITS,
                rdma_conn_param.rnr_retry_count(values) & THREE_BITS,
                rdma_conn_param.srq(values) != 0,
                privateData);
    }

    private static ConnectionEvent.Details datagram(MemorySegment event, ConnectionEventType type) {
        MemorySegment values = rdma_cm_event.param.ud(rdma_cm_event.param(event));
        if (type == ConnectionEventType.MULTICAST_JOINED) {
            return new ConnectionEvent.Details(new byte[0], null, peer(values).orElse(null));
        }
        byte[] privateData =
                copy(rdma_ud_param.private_data(values), Byte.toUnsignedInt(rdma_ud_param.private_data_len(values)));
        boolean hasPeer = type == ConnectionEventType.ESTABLISHED;
        return new ConnectionEvent.Details(
                privateData, null, hasPeer ? peer(values).orElse(null) : null);
    }

    private static Optional<DatagramPeer> peer(MemorySegment values) {
        MemorySegment address = rdma_ud_param.ah_attr(values).asSlice(0, ibv_ah_attr.sizeof());
        return NegotiatedChange.addressVector(address)
                .map(vector -> new DatagramPeer(
                        vector, rdma_ud_param.qp_num(values) & QUEUE_PAIR_NUMBER_BITS, rdma_ud_param.qkey(values)));
    }

    private static byte[] copy(MemorySegment pointer, int length) {
        return Pointers.isNull(pointer)
                ? new byte[0]
                : Pointers.view(pointer, length).toArray(ValueLayout.JAVA_BYTE);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.ffi.generated.rdmacm.rdmacm_constants;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** What has happened to a {@link ConnectionId}. See {@code rdma_get_cm_event(3)}. */
public enum ConnectionEventType {
    /** The destination has been resolved, and the identifier is bound to a device: resolve the route next. */
    ADDRESS_RESOLVED(rdmacm_constants::RDMA_CM_EVENT_ADDR_RESOLVED),
    /** The destination could not be resolved: nobody answers for the address, or no RDMA device has a way to it. */
    ADDRESS_ERROR(rdmacm_constants::RDMA_CM_EVENT_ADDR_ERROR),
    /** The route is known: make the queue pair and connect next. */
    ROUTE_RESOLVED(rdmacm_constants::RDMA_CM_EVENT_ROUTE_RESOLVED),
    /** There is no route. */
    ROUTE_ERROR(rdmacm_constants::RDMA_CM_EVENT_ROUTE_ERROR),
    /** A peer wants to connect to a listener: accept or reject on the identifier that comes with the event. */
    CONNECT_REQUEST(rdmacm_constants::RDMA_CM_EVENT_CONNECT_REQUEST),
    /** The peer has accepted: move the queue pair to READY_TO_SEND, and establish. */
    CONNECT_RESPONSE(rdmacm_constants::RDMA_CM_EVENT_CONNECT_RESPONSE),
    /** Connecting failed half-way, at either end. */
    CONNECT_ERROR(rdmacm_constants::RDMA_CM_EVENT_CONNECT_ERROR),
    /** The peer does not answer. */
    UNREACHABLE(rdmacm_constants::RDMA_CM_EVENT_UNREACHABLE),
    /** The peer rejected the connection, or nobody listens at that port. */
    REJECTED(rdmacm_constants::RDMA_CM_EVENT_REJECTED),
    /** The connection is there. */
    ESTABLISHED(rdmacm_constants::RDMA_CM_EVENT_ESTABLISHED),
    /** The connection has ended, by either end. */
    DISCONNECTED(rdmacm_constants::RDMA_CM_EVENT_DISCONNECTED),
    /** The device goes away: close the identifier and all that was made in the device. */
    DEVICE_REMOVAL(rdmacm_constants::RDMA_CM_EVENT_DEVICE_REMOVAL),
    /** A multicast group has been joined. */
    MULTICAST_JOINED(rdmacm_constants::RDMA_CM_EVENT_MULTICAST_JOIN),
    /** A multicast group could not be joined, or is not usable any more. */
    MULTICAST_ERROR(rdmacm_constants::RDMA_CM_EVENT_MULTICAST_ERROR),
    /** The network interface has another hardware address now, such as after bonding has failed over. */
    ADDRESS_CHANGED(rdmacm_constants::RDMA_CM_EVENT_ADDR_CHANGE),
    /** Late packets of the connection cannot come any more: the queue pair could be used for another one. */
    TIME_WAIT_EXIT(rdmacm_constants::RDMA_CM_EVENT_TIMEWAIT_EXIT),
    /** An event that this version does not know; {@link ConnectionEvent#rawType()} has its number. */
    UNKNOWN(() -> -1);

    private final IntSupplier raw;

    ConnectionEventType(IntSupplier raw) {
        this.raw = raw;
    }

    int raw() {
        return raw.getAsInt();
    }

    static ConnectionEventType of(int raw) {
        return Numbers.TABLE.getOrDefault(raw, UNKNOWN);
    }

    /** Apart, so that naming a constant needs no native access. */
    private static final class Numbers {
        static final Map<Integer, ConnectionEventType> TABLE =
                Arrays.stream(values()).collect(Collectors.toMap(ConnectionEventType::raw, Function.identity()));
    }
}

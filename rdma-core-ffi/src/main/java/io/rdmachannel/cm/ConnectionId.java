// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.RdmaCm;
import io.rdmachannel.ffi.generated.ibverbs.ibv_qp_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import io.rdmachannel.ffi.generated.rdmacm.rdma_cm_id;
import io.rdmachannel.ffi.generated.rdmacm.rdma_route;
import io.rdmachannel.ffi.generated.rdmacm.rdmacm_constants;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.QueuePairChange;
import io.rdmachannel.verbs.QueuePairState;
import io.rdmachannel.verbs.RdmaUnavailableException;
import io.rdmachannel.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;

/**
 * One end of a connection, or a listener ({@code rdma_create_id(3)}): to {@code librdmacm} what a socket is to TCP.
 * Made by {@link EventChannel#createId} and, on the listening side, by a
 * {@link ConnectionEventType#CONNECT_REQUEST}. The order of the calls is in the description of this package.
 *
 * <p>Lives until it or its channel is closed; closing ends a connection at any stage. Any thread may call, and no call
 * blocks: what was begun is answered by an event on the channel. What the kernel refuses is a {@link VerbsException};
 * what it cannot do is told by an event, which {@link ConnectionEvent#require} turns into one.
 */
public final class ConnectionId implements AutoCloseable {
    private static final int CONNECT_PRIVATE_DATA_MAX = 56;
    private static final int ACCEPT_PRIVATE_DATA_MAX = 196;
    private static final int LOOK_UP_PRIVATE_DATA_MAX = 180;
    private static final int ANSWER_PRIVATE_DATA_MAX = 136;
    private static final int REJECT_PRIVATE_DATA_MAX = 148;
    private static final int BYTE_MAX = 0xFF;

    private final EventChannel channel;
    private final PortSpace portSpace;
    private final MemorySegment handle;
    private final Lifetime lifetime;
    private final IdentifierHandle identifier;

    /** The caller is inside the channel's lifetime; the pointer is destroyed when this cannot be made. */
    ConnectionId(EventChannel channel, MemorySegment pointer, PortSpace portSpace, String kind) {
        this.channel = channel;
        this.portSpace = portSpace;
        this.handle = Pointers.view(pointer, rdma_cm_id.sizeof());
        this.lifetime = Lifetime.of(kind + " identifier of " + portSpace, CloseOrder.CONNECTION)
                .childOf(channel.lifetime())
                .destroyedBy(this::destroy)
                .begin();
        this.identifier = new IdentifierHandle(handle, lifetime);
        channel.register(handle.address(), this);
    }

    /**
     * Lets another identifier of this host hold the same port, as {@code SO_REUSEADDR} does. See
     * {@code rdma_set_option(3)}. Call it before binding.
     *
     * @param allowed whether to allow it
     * @throws VerbsException if refused
     * @throws IllegalStateException if closed
     */
    public void reuseAddress(boolean allowed) {
        setOption(
                rdmacm_constants.RDMA_OPTION_ID_REUSEADDR(),
                arena -> arena.allocateFrom(ValueLayout.JAVA_INT, allowed ? 1 : 0));
    }

    /**
     * Sets the type of service of the packets, on RoCE v2 the traffic class ({@code rdma_set_option(3)}). Call it
     * before connecting or listening.
     *
     * @param value 0 to 255; for a DSCP its value times 4
     * @throws IllegalArgumentException if out of range
     * @throws VerbsException if refused
     * @throws IllegalStateException if closed
     */
    public void typeOfService(int value) {
        Checks.range("typeOfService", value, 0, BYTE_MAX, "it is one byte");
        setOption(
                rdmacm_constants.RDMA_OPTION_ID_TOS(),
                arena -> arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) value));
    }

    /**
     * Binds to a local address ({@code rdma_bind_addr(3)}): for a listener, or to choose where a connection comes from.
     *
     * @param local IPv4 or IPv6; a wildcard address means all devices; port 0 takes any free port. A link-local address
     *     needs its scope
     * @throws IllegalArgumentException if the address is unresolved
     * @throws VerbsException if refused: EADDRINUSE for a port in use, ENODEV or EADDRNOTAVAIL for an address that no
     *     RDMA device has
     * @throws IllegalStateException if closed
     */
    public void bindAddress(InetSocketAddress local) {
        SocketAddresses.requireResolved("local", local);
        identifier.call("rdma_bind_addr", "binding to " + local, (id, arena) -> {
            int result = RdmaCm.rdma_bind_addr(id, SocketAddresses.write(local, arena));
            identifier.refreshDevice();
            return result;
        });
    }

    /**
     * Begins to find the device and the neighbour for a destination ({@code rdma_resolve_addr(3)}). Answered by
     * {@link ConnectionEventType#ADDRESS_RESOLVED} or {@link ConnectionEventType#ADDRESS_ERROR}.
     *
     * @param source the local address to come from, or null for what the routing table says
     * @param destination IPv4 or IPv6, with the port that the peer listens on; a link-local address needs its scope
     * @param timeout how long it may take, from 1 ms
     * @param unit its unit; rounded up to milliseconds
     * @throws IllegalArgumentException if an address is unresolved, the two are of different families, or the timeout
     *     is out of range
     * @throws VerbsException if refused at once: ENODEV when no RDMA device has a way there, ENETUNREACH when nobody
     *     has
     * @throws IllegalStateException if closed
     */
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long timeout, TimeUnit unit) {
        SocketAddresses.requireResolved("destination", destination);
        if (source != null) {
            SocketAddresses.requireSameFamily(SocketAddresses.requireResolved("source", source), destination);
        }
        int millis = Checks.timeoutMillis(timeout, unit);
        String asked = "resolving " + destination + (source == null ? "" : " from " + source);
        identifier.call("rdma_resolve_addr", asked, (id, arena) -> {
            MemorySegment from = source == null ? MemorySegment.NULL : SocketAddresses.write(source, arena);
            return RdmaCm.rdma_resolve_addr(id, from, SocketAddresses.write(destination, arena), millis);
        });
    }

    /**
     * Begins to find the route ({@code rdma_resolve_route(3)}). Answered by {@link ConnectionEventType#ROUTE_RESOLVED}
     * or {@link ConnectionEventType#ROUTE_ERROR}.
     *
     * @param timeout how long it may take, from 1 ms
     * @param unit its unit; rounded up to milliseconds
     * @throws IllegalArgumentException if the timeout is out of range
     * @throws VerbsException if refused
     * @throws IllegalStateException if the address has not been resolved yet, or if closed
     */
    public void resolveRoute(long timeout, TimeUnit unit) {
        int millis = Checks.timeoutMillis(timeout, unit);
        identifier.callOnDevice(
                "rdma_resolve_route", "resolving the route", id -> RdmaCm.rdma_resolve_route(id, millis));
    }

    /**
     * Begins to take connection requests ({@code rdma_listen(3)}); each comes as a
     * {@link ConnectionEventType#CONNECT_REQUEST}.
     *
     * @param backlog how many requests may wait to be taken; 0 leaves it to the kernel
     * @throws IllegalArgumentException if negative
     * @throws VerbsException if refused: EADDRINUSE when another listener has the port
     * @throws IllegalStateException if closed
     */
    public void listen(int backlog) {
        Checks.range("backlog", backlog, 0, Integer.MAX_VALUE, "0 leaves it to the kernel");
        identifier.call("rdma_listen", "listening", (id, arena) -> {
            int result = RdmaCm.rdma_listen(id, backlog);
            identifier.refreshDevice();
            return result;
        });
    }

    /**
     * Begins to connect ({@code rdma_connect(3)}). Answered by {@link ConnectionEventType#CONNECT_RESPONSE}; or, when
     * it fails, by {@link ConnectionEventType#REJECTED}, {@link ConnectionEventType#UNREACHABLE} or
     * {@link ConnectionEventType#CONNECT_ERROR}. The kernel decides how long an unreachable peer is asked, which may be
     * two minutes: keep an own time limit, and close.
     *
     * @param parameters with the number of the queue pair, and at most 56 bytes of private data (180 for datagrams)
     * @throws IllegalArgumentException if the private data is too long
     * @throws VerbsException if refused: EINVAL also for more outstanding reads than the device can do
     * @throws IllegalStateException if the address has not been resolved yet, or if closed
     */
    public void connect(ConnectionParameters parameters) {
        int most = portSpace.isDatagram() ? LOOK_UP_PRIVATE_DATA_MAX : CONNECT_PRIVATE_DATA_MAX;
        withParameters("rdma_connect", "connecting", parameters, most, RdmaCm::rdma_connect);
    }

    /**
     * Accepts the request that this identifier came with ({@code rdma_accept(3)}). The queue pair must be
     * READY_TO_SEND, with receives posted, since the peer may send before the answer comes: which is
     * {@link ConnectionEventType#ESTABLISHED}, or an error event when the peer has gone.
     *
     * @param parameters with the number of the queue pair, outstanding reads not above those of the request, and at
     *     most 196 bytes of private data (136 for datagrams)
     * @throws IllegalArgumentException if the private data is too long
     * @throws VerbsException if refused
     * @throws IllegalStateException if this identifier did not come with a request, or if closed
     */
    public void accept(ConnectionParameters parameters) {
        int most = portSpace.isDatagram() ? ANSWER_PRIVATE_DATA_MAX : ACCEPT_PRIVATE_DATA_MAX;
        withParameters("rdma_accept", "accepting", parameters, most, RdmaCm::rdma_accept);
    }

    /**
     * Rejects the request that this identifier came with ({@code rdma_reject(3)}); the peer gets
     * {@link ConnectionEventType#REJECTED}. Close the identifier then.
     *
     * @param privateData at most 148 bytes for the peer (136 for datagrams); may be empty
     * @throws IllegalArgumentException if the private data is too long
     * @throws VerbsException if refused
     * @throws IllegalStateException if closed
     */
    public void reject(byte[] privateData) {
        int most = portSpace.isDatagram() ? ANSWER_PRIVATE_DATA_MAX : REJECT_PRIVATE_DATA_MAX;
        Checks.privateData(privateData, most, "a rejection");
        identifier.call("rdma_reject", "rejecting", (id, arena) -> {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, privateData);
            return RdmaCm.rdma_reject(id, bytes, (byte) privateData.length);
        });
    }

    /**
     * Tells the peer, after {@link ConnectionEventType#CONNECT_RESPONSE}, that the queue pair is READY_TO_SEND
     * ({@code rdma_establish(3)}): the connection is there then, without another event on this side.
     *
     * @throws RdmaUnavailableException if the library is too old to have the function
     * @throws VerbsException if refused
     * @throws IllegalStateException if closed
     */
    public void establish() {
        ConnectionManager.ensureHas("rdma_establish");
        identifier.callOnDevice("rdma_establish", "establishing the connection", RdmaCm::rdma_establish);
    }

    /**
     * Ends the connection ({@code rdma_disconnect(3)}); both ends get {@link ConnectionEventType#DISCONNECTED}. The
     * queue pair is the program's to move to ERROR.
     *
     * @throws VerbsException if there is no connection
     * @throws IllegalStateException if there never was a device, or if closed
     */
    public void disconnect() {
        identifier.callOnDevice("rdma_disconnect", "disconnecting", RdmaCm::rdma_disconnect);
    }

    /**
     * Gives what a queue pair of this connection needs to go to another state ({@code rdma_init_qp_attr}), as both ends
     * negotiated it. INIT can be asked for as soon as the device is known; READY_TO_RECEIVE and READY_TO_SEND after
     * {@link ConnectionEventType#CONNECT_REQUEST} or {@link ConnectionEventType#CONNECT_RESPONSE}.
     *
     * <p>The result may be changed before use. The kernel asks for the longest RNR delay, 655 ms: set
     * {@link QueuePairChange#minRnrTimer} for less. Before {@code accept} the numbers of outstanding reads are those of
     * the request. INIT gives no remote rights before the connection is negotiated, and those it needs afterwards; set
     * {@link QueuePairChange#access} for others.
     *
     * @param target INIT, READY_TO_RECEIVE or READY_TO_SEND
     * @return a change for {@link io.rdmachannel.verbs.QueuePair#modify}
     * @throws IllegalArgumentException for another state
     * @throws RdmaUnavailableException if the library is too old to have the function
     * @throws VerbsException if the connection is not so far
     * @throws IllegalStateException if the device is not known yet, or if closed
     */
    public QueuePairChange queuePairChange(QueuePairState target) {
        int rawTarget = NegotiatedChange.rawState(Objects.requireNonNull(target, "target"));
        ConnectionManager.ensureHas("rdma_init_qp_attr");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(arena);
            MemorySegment mask = arena.allocate(ValueLayout.JAVA_INT);
            ibv_qp_attr.qp_state(attributes, rawTarget);
            identifier.callOnDevice(
                    "rdma_init_qp_attr",
                    "the attributes for " + target,
                    id -> RdmaCm.rdma_init_qp_attr(id, attributes, mask));
            int given = mask.get(ValueLayout.JAVA_INT, 0);
            requireNegotiated(target, given);
            return NegotiatedChange.of(target, attributes, given);
        }
    }

    /**
     * Gives the local address.
     *
     * @return address and port, or empty before it is bound or resolved
     * @throws IllegalStateException if closed
     */
    public Optional<InetSocketAddress> localAddress() {
        return identifier.read(id -> SocketAddresses.source(rdma_route.addr(rdma_cm_id.route(id))));
    }

    /**
     * Gives the peer's address.
     *
     * @return address and port, or empty before it is resolved
     * @throws IllegalStateException if closed
     */
    public Optional<InetSocketAddress> remoteAddress() {
        return identifier.read(id -> SocketAddresses.destination(rdma_route.addr(rdma_cm_id.route(id))));
    }

    /**
     * Gives the local port number of the connection.
     *
     * @return 1 to 65535, or 0 before it is bound
     * @throws IllegalStateException if closed
     */
    public int localPort() {
        return localAddress().map(InetSocketAddress::getPort).orElse(0);
    }

    /**
     * Gives the peer's port number.
     *
     * @return 1 to 65535, or 0 before the address is resolved
     * @throws IllegalStateException if closed
     */
    public int remotePort() {
        return remoteAddress().map(InetSocketAddress::getPort).orElse(0);
    }

    /**
     * Gives the device that the connection goes through, where the queue pair has to be made.
     *
     * @return the device, or empty before it is known: before {@link ConnectionEventType#ADDRESS_RESOLVED}, for a
     *     listener on a wildcard address, or when the device has gone
     */
    public Optional<Device> device() {
        return Optional.ofNullable(identifier.deviceName()).flatMap(Device::find);
    }

    /**
     * Gives the device's port that the connection goes through.
     *
     * @return from 1, or 0 before the device is known
     * @throws IllegalStateException if closed
     */
    public int devicePort() {
        return identifier.read(id -> Byte.toUnsignedInt(rdma_cm_id.port_num(id)));
    }

    /**
     * Says which service it is for.
     *
     * @return the port space
     */
    public PortSpace portSpace() {
        return portSpace;
    }

    /**
     * Gives the channel on which its events come.
     *
     * @return the channel
     */
    public EventChannel channel() {
        return channel;
    }

    /**
     * Gives the identifier up ({@code rdma_destroy_id(3)}), at any stage; a connection ends, a request is rejected. Its
     * events that nobody has taken are dropped. Idempotent; any thread.
     *
     * @throws VerbsException if the kernel refuses; close can be repeated
     */
    @Override
    public void close() {
        lifetime.close();
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }

    /** For the channel, which keeps the identifier from being freed meanwhile. */
    void refreshDevice() {
        identifier.refreshDevice();
    }

    private void withParameters(
            String verb,
            String asked,
            ConnectionParameters parameters,
            int most,
            ToIntBiFunction<MemorySegment, MemorySegment> function) {
        Objects.requireNonNull(parameters, "parameters");
        Checks.privateData(parameters.privateData(), most, asked);
        identifier.callOnDevice(
                verb, asked + " by " + parameters, (id, arena) -> function.applyAsInt(id, parameters.write(arena)));
    }

    private void setOption(int option, Function<Arena, MemorySegment> value) {
        identifier.call("rdma_set_option", "option " + option, (id, arena) -> {
            MemorySegment bytes = value.apply(arena);
            return RdmaCm.rdma_set_option(id, rdmacm_constants.RDMA_OPTION_ID(), option, bytes, bytes.byteSize());
        });
    }

    /** Before the peers have agreed, the kernel answers every question as if it were for INIT. */
    private void requireNegotiated(QueuePairState target, int mask) {
        int needed = switch (target) {
            case READY_TO_RECEIVE -> ibverbs_constants.IBV_QP_DEST_QPN();
            case READY_TO_SEND -> ibverbs_constants.IBV_QP_SQ_PSN();
            default -> 0;
        };
        if ((mask & needed) != needed && !portSpace.isDatagram()) {
            throw Refusals.of(
                    "rdma_init_qp_attr",
                    0,
                    target + " of " + this + " before CONNECT_REQUEST or"
                            + " CONNECT_RESPONSE: the peers have agreed on nothing yet");
        }
    }

    private void destroy() {
        Refusals.check("rdma_destroy_id", RdmaCm.rdma_destroy_id(handle), "closing " + lifetime);
        channel.unregister(handle.address(), this);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.generated.libc.libc;
import io.rdmachannel.verbs.VerbsException;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that happened to a {@link ConnectionId}, copied out of the library and acknowledged to it
 * ({@code rdma_get_cm_event(3)}). An immutable value: any thread may use it, and there is nothing to close; but the
 * identifier of a {@link ConnectionEventType#CONNECT_REQUEST} is new and is the receiver's to close.
 */
public final class ConnectionEvent {
    /** Reject reason of InfiniBand: no service, which means that nobody listens. */
    private static final int REASON_NO_LISTENER = 8;

    /** Reject reason of InfiniBand: the program at the other end did it. */
    private static final int REASON_BY_PROGRAM = 28;

    private final ConnectionEventType type;
    private final int rawType;
    private final int status;
    private final ConnectionId id;
    private final ConnectionId listener;
    private final Details details;

    ConnectionEvent(int rawType, int status, ConnectionId id, ConnectionId listener, Details details) {
        this.type = ConnectionEventType.of(rawType);
        this.rawType = rawType;
        this.status = status;
        this.id = id;
        this.listener = listener;
        this.details = details;
    }

    /** What came with an event; each part may be missing (null), but for the private data. */
    record Details(byte[] privateData, ConnectionParameters parameters, DatagramPeer datagramPeer) {
        static final Details NONE = new Details(new byte[0], null, null);
    }

    /**
     * Says what happened.
     *
     * @return the kind of event
     */
    public ConnectionEventType type() {
        return type;
    }

    /**
     * Gives the number of the kind of event, for one that is {@link ConnectionEventType#UNKNOWN}.
     *
     * @return a value of C's {@code enum rdma_cm_event_type}
     */
    public int rawType() {
        return rawType;
    }

    /**
     * Gives the cause of a failure.
     *
     * @return 0 for success; a negative errno value; or, for a rejection, the transport's positive reason
     */
    public int status() {
        return status;
    }

    /**
     * Names the identifier that it happened to.
     *
     * @return the identifier; for a {@link ConnectionEventType#CONNECT_REQUEST} a new one, to be accepted or rejected,
     *     and closed. It may have been closed by another thread in the meantime
     */
    public ConnectionId id() {
        return id;
    }

    /**
     * Names the listener of a request.
     *
     * @return the listener, or empty for every other event
     */
    public Optional<ConnectionId> listener() {
        return Optional.ofNullable(listener);
    }

    /**
     * Gives what the peer said about its queue pair: with a request, a response, and when a connection is established.
     *
     * @return the peer's parameters, or empty where the event has none
     */
    public Optional<ConnectionParameters> parameters() {
        return Optional.ofNullable(details.parameters());
    }

    /**
     * Gives where datagrams go, when a peer has been looked up or a group joined.
     *
     * @return the peer, or empty where the event has none
     */
    public Optional<DatagramPeer> datagramPeer() {
        return Optional.ofNullable(details.datagramPeer());
    }

    /**
     * Gives the private data that the peer sent with a request, an acceptance or a rejection.
     *
     * @return a copy; empty when there is none. The transport may have filled it up with zeros
     */
    public byte[] privateData() {
        return details.privateData().clone();
    }

    /**
     * Returns this event when it is the one hoped for.
     *
     * @param expected the kind that is expected
     * @return this
     * @throws VerbsException if it is another one, with what happened instead, the errno that fits, and what to do; so
     *     ECONNREFUSED for a rejection, ETIMEDOUT for a peer that does not answer, ENODEV for an address without RDMA
     */
    public ConnectionEvent require(ConnectionEventType expected) {
        if (type != Objects.requireNonNull(expected, "expected")) {
            throw Refusals.of("rdma_get_cm_event", errno(), "waiting for " + expected + ", and " + this + " came");
        }
        return this;
    }

    /**
     * Tells what happened, with the cause of a failure.
     *
     * @return such as {@code REJECTED (nobody listens there) on connection to /10.0.0.1:7174}
     */
    @Override
    public String toString() {
        String name = type == ConnectionEventType.UNKNOWN ? "event " + rawType : type.name();
        return (status == 0 ? name : name + " (" + cause() + ")") + " on " + id;
    }

    private int errno() {
        if (status < 0) {
            return -status;
        }
        return switch (type) {
            case REJECTED -> libc.ECONNREFUSED();
            case UNREACHABLE -> libc.ETIMEDOUT();
            case DEVICE_REMOVAL -> libc.ENODEV();
            case DISCONNECTED -> libc.ECONNRESET();
            default -> 0;
        };
    }

    private String cause() {
        if (status < 0) {
            return Errno.describe(-status);
        }
        return switch (type == ConnectionEventType.REJECTED ? status : 0) {
            case REASON_NO_LISTENER -> "nobody listens there";
            case REASON_BY_PROGRAM -> "by the program at the other end";
            default -> "status " + status;
        };
    }
}

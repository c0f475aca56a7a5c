// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.protocol.PrivateHello;
import io.rdmachannel.cm.ConnectionEvent;
import io.rdmachannel.cm.ConnectionEventType;
import io.rdmachannel.cm.ConnectionId;
import io.rdmachannel.verbs.RdmaException;
import java.net.InetSocketAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that librdmacm makes: its events are waited for during the handshake, in the handshake's thread, and
 * watched for the end afterwards.
 */
final class ManagedConnection implements Control {
    private static final Logger LOGGER = LoggerFactory.getLogger(ManagedConnection.class);
    private static final long GOODBYE_SECONDS = 2;

    private final ManagerEvents events;
    private final ConnectionId id;
    private final InetSocketAddress peer;
    private final LinkedBlockingQueue<ConnectionEvent> queue = new LinkedBlockingQueue<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile String session = "";
    private Watcher watcher;

    private ManagedConnection(ManagerEvents events, ConnectionId id, InetSocketAddress peer) {
        this.events = events;
        this.id = id != null ? id : events.create(this::happened);
        this.peer = peer;
    }

    /** A connection to be made. */
    static ManagedConnection to(InetSocketAddress peer, ManagerEvents events) {
        return new ManagedConnection(events, null, peer);
    }

    /** A connection that a peer has asked for; in the thread of the events, so that it misses none. */
    static ManagedConnection of(ConnectionEvent request, ManagerEvents events) {
        ConnectionId id = request.id();
        InetSocketAddress peer = id.remoteAddress().orElse(new InetSocketAddress(0));
        ManagedConnection connection = new ManagedConnection(events, id, peer);
        events.register(id, connection::happened);
        return connection;
    }

    ConnectionId id() {
        return id;
    }

    @Override
    public InetSocketAddress peer() {
        return peer;
    }

    @Override
    public String session() {
        return session;
    }

    void session(byte[] name) {
        session = Session.label(name);
    }

    /**
     * Waits for an event.
     *
     * @param expected what must come
     * @param deadline until when
     * @return the event
     * @throws ChannelException if something else comes, or nothing in time
     */
    ConnectionEvent await(ConnectionEventType expected, Deadline deadline) {
        ConnectionEvent event = next(expected, Math.max(1, deadline.left().toNanos()));
        if (event.type() == expected) {
            return event;
        }
        if (event.type() == ConnectionEventType.REJECTED) {
            throw rejected(event.privateData());
        }
        Reason reason = event.type() == ConnectionEventType.DISCONNECTED ? Reason.PEER_GONE : Reason.UNREACHABLE;
        throw new ChannelException(
                reason, "no connection to " + peer + " by librdmacm, instead of " + expected + " came " + event);
    }

    @Override
    public void watch(Watcher whom) {
        synchronized (queue) {
            watcher = whom;
            queue.forEach(this::tell);
            queue.clear();
        }
    }

    /** Channels by librdmacm do not recover. */
    @Override
    public void fallSilent() {
        throw new UnsupportedOperationException("a connection of librdmacm is not replaced by another one");
    }

    /** The disconnection tells it. */
    @Override
    public void giveUp(String sentence) {
        end(false);
    }

    /** Disconnecting is all the goodbye there is; in order it is when the last frame is on the data path before. */
    @Override
    public void end(boolean orderly) {
        if (ended.compareAndSet(false, true)) {
            synchronized (queue) {
                watcher = null;
            }
            Thread.ofVirtual().name("rdma-channel-goodbye-" + peer).start(this::disconnect);
        }
    }

    @Override
    public void close() {
        if (ended.compareAndSet(false, true)) {
            events.release(id);
        }
    }

    /** Rejects the peer's request; the last word. */
    void refuse(Reason reason, String sentence) {
        try {
            boolean busy = reason == Reason.BUSY || reason == Reason.TIMEOUT;
            id.reject(PrivateHello.encodeRefusal(busy, sentence));
        } catch (RdmaException | IllegalStateException gone) {
            LOGGER.debug("the peer at {} did not wait for its refusal: {}", peer, gone.toString());
        }
    }

    @Override
    public String toString() {
        return "connection to " + peer + " by librdmacm";
    }

    private void happened(ConnectionEvent event) {
        synchronized (queue) {
            if (watcher == null) {
                queue.add(event);
            } else {
                tell(event);
            }
        }
    }

    private void tell(ConnectionEvent event) {
        switch (event.type()) {
            case DISCONNECTED -> watcher.ended(ControlEnd.DISCONNECTED);
            case DEVICE_REMOVAL -> watcher.ended(ControlEnd.BROKEN);
            default -> LOGGER.debug("{}: {}", this, event);
        }
    }

    private ConnectionEvent next(ConnectionEventType expected, long nanos) {
        ConnectionEvent event;
        try {
            event = queue.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ChannelException(Reason.CLOSED, "the handshake was interrupted", interrupted);
        }
        if (event == null) {
            throw new ChannelException(
                    Reason.TIMEOUT,
                    "the peer at " + peer + " has not answered within handshakeTimeout: waited for " + expected
                            + "; is it reachable from the RDMA device, and does a listener of librdmacm live there?");
        }
        return event;
    }

    /** The kernel rejects, too, when nobody listens; as refused connections of TCP that is worth another attempt. */
    private ChannelException rejected(byte[] data) {
        if (!PrivateHello.isRefusal(data)) {
            return new ChannelException(
                    Reason.UNREACHABLE,
                    "no connection to " + peer + ": rejected; nobody listens there by librdmacm, or no channel does");
        }
        return new ChannelException(
                PrivateHello.isBusy(data) ? Reason.BUSY : Reason.REFUSED,
                "the peer at " + peer + " refused: " + PrivateHello.sentence(data));
    }

    private void disconnect() {
        try {
            id.disconnect();
            ConnectionEvent event = queue.poll(GOODBYE_SECONDS, TimeUnit.SECONDS);
            LOGGER.trace("{} has ended with {}", this, event);
        } catch (RdmaException | IllegalStateException over) {
            LOGGER.trace("{} was over already: {}", this, over.toString());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        events.release(id);
    }
}

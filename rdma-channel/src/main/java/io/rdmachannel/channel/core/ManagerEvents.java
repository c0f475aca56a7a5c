// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.cm.ConnectionEvent;
import io.rdmachannel.cm.ConnectionId;
import io.rdmachannel.cm.EventChannel;
import io.rdmachannel.cm.PortSpace;
import io.rdmachannel.verbs.RdmaException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of librdmacm for all connections of one poller, or for one listener: a thread that waits for them, and
 * gives each to whom it concerns. Any thread may use it.
 */
final class ManagerEvents implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(ManagerEvents.class);
    private static final long WAIT_SECONDS = 3600;

    private final EventChannel channel;
    private final Map<ConnectionId, Consumer<ConnectionEvent>> listeners = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean closed;

    private ManagerEvents(String name, EventChannel channel) {
        this.channel = channel;
        this.thread = Thread.ofPlatform()
                .name("rdma-channel-manager-" + name)
                .daemon()
                .unstarted(this::dispatch);
    }

    /**
     * Opens an event channel and starts the thread.
     *
     * @param name for the thread
     * @throws ChannelException (UNAVAILABLE) if librdmacm or the kernel's part of it cannot be used
     */
    static ManagerEvents open(String name) {
        try {
            ManagerEvents events = new ManagerEvents(name, EventChannel.create());
            events.thread.start();
            return events;
        } catch (RdmaException unavailable) {
            throw new ChannelException(
                    Reason.UNAVAILABLE, "no connection by librdmacm: " + unavailable.getMessage(), unavailable);
        }
    }

    /**
     * Makes an identifier whose events go to a listener, in this thread.
     *
     * @throws ChannelException (UNAVAILABLE) if the kernel refuses
     */
    ConnectionId create(Consumer<ConnectionEvent> listener) {
        try {
            ConnectionId id = channel.createId(PortSpace.TCP);
            listeners.put(id, listener);
            return id;
        } catch (RdmaException refused) {
            throw new ChannelException(
                    Reason.UNAVAILABLE, "no connection by librdmacm: " + refused.getMessage(), refused);
        }
    }

    /** From now on the events of an identifier go to a listener. */
    void register(ConnectionId id, Consumer<ConnectionEvent> listener) {
        listeners.put(id, listener);
    }

    /** Closes an identifier; its events go nowhere. */
    void release(ConnectionId id) {
        listeners.remove(id);
        try {
            id.close();
        } catch (RdmaException refused) {
            LOGGER.warn("{} could not be closed: {}", id, refused.getMessage());
        }
    }

    /** Closes all identifiers, too. Idempotent. */
    @Override
    public void close() {
        closed = true;
        channel.close();
    }

    private void dispatch() {
        while (!closed) {
            ConnectionEvent event;
            try {
                event = channel.await(WAIT_SECONDS, TimeUnit.SECONDS);
            } catch (IllegalStateException ended) {
                return;
            } catch (RdmaException broken) {
                LOGGER.error("no event of librdmacm can be read any more: connections of it do not end by it", broken);
                return;
            }
            if (event != null) {
                give(event);
            }
        }
    }

    /** A request comes with an identifier of its own, and concerns the listener. */
    private void give(ConnectionEvent event) {
        ConnectionId concerned = event.listener().orElse(event.id());
        Consumer<ConnectionEvent> listener = listeners.get(concerned);
        if (listener != null) {
            tell(listener, event);
        } else if (event.listener().isPresent()) {
            release(event.id());
        }
    }

    private static void tell(Consumer<ConnectionEvent> listener, ConnectionEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException unexpected) {
            LOGGER.error("{} could not be handled", event, unexpected);
        }
    }
}

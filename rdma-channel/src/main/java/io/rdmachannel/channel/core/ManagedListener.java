// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.events.ConnectEvent;
import io.rdmachannel.channel.events.ConnectEvent.Side;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.cm.ConnectionEvent;
import io.rdmachannel.cm.ConnectionEventType;
import io.rdmachannel.cm.ConnectionId;
import io.rdmachannel.verbs.RdmaException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections by librdmacm, and carries on a handshake with each in a virtual thread of its own. */
public final class ManagedListener implements RdmaListener {
    private static final Logger LOGGER = LoggerFactory.getLogger(ManagedListener.class);

    private final ManagerEvents events;
    private final ConnectionId id;
    private final InetSocketAddress address;
    private final ChannelConfig config;
    private final Supplier<ChannelHandler> handlers;
    private final EventLoop loop;
    private final Semaphore handshakes;
    private final AddressLimits addresses;
    private final AcceptQueue queue;
    private final Refusals refusals;
    private final Set<ManagedConnection> inProgress = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private ManagedListener(InetSocketAddress wanted, ChannelConfig config, Supplier<ChannelHandler> handlers) {
        this.config = config;
        this.handlers = Objects.requireNonNull(handlers, "handlers");
        this.handshakes = new Semaphore(config.handshakesMax());
        this.addresses = new AddressLimits(config.handshakesPerAddressMax());
        this.loop = (EventLoop) config.poller().orElseGet(() -> ownLoop(wanted));
        this.queue = new AcceptQueue(loop, config.acceptBacklog());
        this.refusals = new Refusals(this, loop.counters(), System::nanoTime);
        try {
            this.events = loop.sources().managerEvents();
            this.id = events.create(this::happened);
            this.address = listen(wanted);
        } catch (RuntimeException | Error refused) {
            // A poller of the listener's own would be nobody's.
            loop.closeIfUnused();
            throw refused;
        }
        loop.hold();
    }

    /**
     * Binds to an address of an RDMA device, or to all.
     *
     * @param address where, port 0 for any
     * @param config how channels are made
     * @param handlers gives each channel's handler
     * @return the listener
     * @throws ChannelException if the address cannot be bound, or librdmacm cannot be used
     */
    public static ManagedListener bind(
            InetSocketAddress address, ChannelConfig config, Supplier<ChannelHandler> handlers) {
        try {
            return new ManagedListener(address, config, handlers);
        } catch (RdmaException refused) {
            throw new ChannelException(
                    Reason.UNAVAILABLE,
                    "cannot listen at " + address + " by librdmacm: " + refused.getMessage()
                            + "; the address must be one of an RDMA device, or 0.0.0.0 for all, and the port be free",
                    refused);
        }
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public Poller poller() {
        return loop;
    }

    @Override
    public RdmaChannel accept(Duration timeout) throws InterruptedException {
        return queue.take(timeout);
    }

    @Override
    public CompletionStage<RdmaChannel> acceptAsync() {
        return queue.takeLater();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        events.release(id);
        inProgress.forEach(this::drop);
        queue.close();
        loop.release();
        if (loop.isOwner() && !loop.isPolling()) {
            loop.closeIfUnused();
        }
    }

    @Override
    public String toString() {
        return "listener of librdmacm at " + address;
    }

    private InetSocketAddress listen(InetSocketAddress wanted) {
        try {
            id.bindAddress(wanted);
            InetSocketAddress bound = new InetSocketAddress(wanted.getAddress(), id.localPort());
            id.listen(config.acceptBacklog());
            return bound;
        } catch (RuntimeException | Error refused) {
            events.release(id);
            throw refused;
        }
    }

    private static EventLoop ownLoop(InetSocketAddress wanted) {
        return EventLoop.create(PollerConfig.of("listener-" + wanted.getPort())).ephemeral();
    }

    /** In the thread of the events. */
    private void happened(ConnectionEvent event) {
        if (event.type() != ConnectionEventType.CONNECT_REQUEST) {
            LOGGER.warn("{}: {}", this, event);
            return;
        }
        ManagedConnection connection = ManagedConnection.of(event, events);
        if (closed) {
            connection.close();
            return;
        }
        inProgress.add(connection);
        Thread.ofVirtual().name("rdma-channel-handshake").start(() -> answer(connection, event));
    }

    private void answer(ManagedConnection connection, ConnectionEvent request) {
        try (var _ = loop.handshakes().begin()) {
            addresses.counting(connection.peer().getAddress(), () -> greet(connection, request));
        } catch (ProtocolException wrong) {
            refusals.tell(connection.peer(), wrong.getMessage());
            refuse(connection, Reason.PROTOCOL, wrong.getMessage());
        } catch (ChannelException refused) {
            refusals.tell(connection.peer(), refused.getMessage());
            refuse(connection, refused.reason(), refused.getMessage());
        } catch (RuntimeException | IOException unexpected) {
            refusals.failed(connection.peer(), unexpected);
            refuse(connection, Reason.UNAVAILABLE, String.valueOf(unexpected.getMessage()));
        }
    }

    private void refuse(ManagedConnection connection, Reason reason, String sentence) {
        connection.refuse(reason, sentence);
        drop(connection);
    }

    private void greet(ManagedConnection connection, ConnectionEvent request) {
        loop.counters().happened(ChannelCounter.BEGUN_HANDSHAKES);
        if (!handshakes.tryAcquire()) {
            throw new ChannelException(
                    Reason.BUSY, config.handshakesMax() + " handshakes are going on, which is handshakesMax");
        }
        try {
            shakeHands(connection, request);
        } finally {
            handshakes.release();
        }
    }

    private void shakeHands(ManagedConnection connection, ConnectionEvent request) {
        CompletableFuture<RdmaChannel> place = queue.reserve();
        ConnectEvent.follow(
                place,
                Side.ACCEPTING,
                connection.peer(),
                config.connectionMethod().name());
        try {
            Deadline deadline = Deadline.after(config.handshakeTimeout());
            HandshakeParts parts = new HandshakeParts(loop, config, handlers.get(), connection, deadline);
            ChannelCore core = new ManagedHandshake(parts, connection).accept(request);
            if (!inProgress.remove(connection)) {
                loop.executeUnlessClosed(core::undo);
                throw new ChannelException(Reason.CLOSED, "the listener was closed");
            }
            Openings.open(loop, core, place);
        } catch (RuntimeException | Error failed) {
            place.completeExceptionally(failed);
            throw failed;
        }
    }

    private void drop(ManagedConnection connection) {
        if (inProgress.remove(connection)) {
            connection.close();
        }
    }
}

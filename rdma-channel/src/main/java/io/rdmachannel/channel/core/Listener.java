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
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections, and carries on a handshake with each in a virtual thread of its own. */
public final class Listener implements RdmaListener {
    private static final Logger LOGGER = LoggerFactory.getLogger(Listener.class);
    private static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ServerSocketChannel server;
    private final InetSocketAddress address;
    private final ChannelConfig config;
    private final Supplier<ChannelHandler> handlers;
    private final EventLoop loop;
    private final Semaphore handshakes;
    private final Attachments attachments = new Attachments();
    private final Sessions sessions = new Sessions();
    private final AcceptQueue queue;
    private final Set<SocketChannel> inProgress = ConcurrentHashMap.newKeySet();
    private final Refusals refusals;
    private final Strangers strangers;
    private final AddressLimits addresses;
    private volatile boolean closed;

    private Listener(ServerSocketChannel server, ChannelConfig config, Supplier<ChannelHandler> handlers)
            throws IOException {
        this.server = server;
        this.address = (InetSocketAddress) server.getLocalAddress();
        this.config = config;
        this.handlers = Objects.requireNonNull(handlers, "handlers");
        this.handshakes = new Semaphore(config.handshakesMax());
        this.addresses = new AddressLimits(config.handshakesPerAddressMax());
        this.loop = (EventLoop) config.poller().orElseGet(this::ownLoop);
        this.queue = new AcceptQueue(loop, config.acceptBacklog());
        this.refusals = new Refusals(this, loop.counters(), System::nanoTime);
        this.strangers = new Strangers(2 * config.handshakesMax(), refusals);
        loop.hold();
    }

    /**
     * Binds to an address.
     *
     * @param address the local address
     * @param config how channels are made
     * @param handlers gives the handler of each
     * @return the listener
     */
    public static Listener bind(InetSocketAddress address, ChannelConfig config, Supplier<ChannelHandler> handlers) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open();
            try {
                server.bind(address);
                Listener listener = new Listener(server, config, handlers);
                Thread.ofVirtual()
                        .name("rdma-channel-accept-" + listener.address)
                        .start(listener::acceptConnections);
                return listener;
            } catch (IOException | RuntimeException failed) {
                server.close();
                throw failed;
            }
        } catch (IOException refused) {
            throw new ChannelException(
                    Reason.UNAVAILABLE,
                    "the address " + address + " cannot be bound: " + refused.getMessage()
                            + "; is another listener bound there, or is it no address of this machine?",
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
        closeQuietly(server);
        inProgress.forEach(this::endHandshake);
        queue.close();
        loop.release();
        if (loop.isOwner() && !loop.isPolling()) {
            loop.closeIfUnused();
        }
    }

    @Override
    public String toString() {
        return "listener at " + address;
    }

    private EventLoop ownLoop() {
        return EventLoop.create(PollerConfig.of("listener-" + address.getPort()))
                .ephemeral();
    }

    private void acceptConnections() {
        while (!closed) {
            try {
                accepted(server.accept());
            } catch (ClosedChannelException over) {
                return;
            } catch (IOException failed) {
                refusals.tell("a connection", "it cannot be accepted: " + failed);
                // Most likely no file descriptor is free, and none will be at once.
                LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
            }
        }
    }

    private void accepted(SocketChannel socket) {
        inProgress.add(socket);
        strangers.add(socket);
        Thread.ofVirtual().name("rdma-channel-handshake").start(() -> {
            try (var _ = loop.handshakes().begin()) {
                handshake(socket);
            } catch (ChannelException pollerClosed) {
                closeQuietly(socket);
                LOGGER.debug("{}: {}", this, pollerClosed.getMessage());
            } finally {
                inProgress.remove(socket);
            }
        });
    }

    private void handshake(SocketChannel socket) {
        boolean kept = false;
        try {
            ControlConnection control = new ControlConnection(socket);
            kept = converse(control, Deadline.after(config.handshakeTimeout()));
        } catch (IOException broken) {
            LOGGER.debug("{}: a handshake broke off: {}", this, broken.toString());
        } finally {
            if (!kept) {
                closeQuietly(socket);
            }
        }
    }

    /** Says whether the connection is in use by a channel now. */
    private boolean converse(ControlConnection control, Deadline deadline) throws IOException {
        try {
            ControlFrame first = firstFrame(control, deadline);
            if (first == null) {
                return false;
            }
            Fields fields = Fields.decode(first.payload());
            switch (first.type()) {
                case HELLO -> addresses.counting(control.peer().getAddress(), () -> greet(control, fields, deadline));
                case ATTACH -> {
                    letGo(control.socket());
                    attachments.arrived(control.socket(), fields);
                }
                default -> throw new ProtocolException("it begins with " + first.type());
            }
            return true;
        } catch (ProtocolException wrong) {
            refusals.tell(control.peer(), wrong.getMessage());
            control.refuse(Reason.PROTOCOL, wrong.getMessage());
        } catch (ChannelException refused) {
            refusals.tell(control.peer(), refused.getMessage());
            control.refuse(refused.reason(), refused.getMessage());
        } catch (RuntimeException unexpected) {
            refusals.failed(control.peer(), unexpected);
            control.refuse(Reason.UNAVAILABLE, unexpected.getMessage());
        }
        return false;
    }

    private ControlFrame firstFrame(ControlConnection control, Deadline deadline) throws IOException {
        try {
            return Entrance.admit(control, config, deadline);
        } finally {
            strangers.remove(control.socket());
        }
    }

    private void greet(ControlConnection control, Fields hello, Deadline deadline) throws IOException {
        loop.counters().happened(ChannelCounter.BEGUN_HANDSHAKES);
        if (!handshakes.tryAcquire()) {
            throw new ChannelException(
                    Reason.BUSY, config.handshakesMax() + " handshakes are going on, which is handshakesMax");
        }
        try {
            if (Sessions.isAnew(hello)) {
                resume(control, hello, deadline);
            } else {
                shakeHands(control, hello, deadline);
            }
        } finally {
            handshakes.release();
        }
    }

    private void resume(ControlConnection control, Fields hello, Deadline deadline) throws IOException {
        ChannelCore core = sessions.find(hello);
        new ServerResumption(core, control, deadline).run(hello, attachments);
        letGo(control.socket());
    }

    private void shakeHands(ControlConnection control, Fields hello, Deadline deadline) throws IOException {
        CompletableFuture<RdmaChannel> place = queue.reserve();
        ConnectEvent.follow(
                place, Side.ACCEPTING, control.peer(), config.connectionMethod().name());
        try {
            HandshakeParts parts = new HandshakeParts(loop, config, handlers.get(), control, deadline);
            ChannelCore core = new ChannelCore(new ServerHandshake(parts, control, attachments).run(hello));
            begin(core, control, place);
        } catch (RuntimeException | Error | IOException failed) {
            place.completeExceptionally(failed);
            throw failed;
        }
    }

    private void begin(ChannelCore core, ControlConnection control, CompletableFuture<RdmaChannel> place) {
        if (inProgress.remove(control.socket())) {
            place.thenRun(() -> sessions.add(core));
            Openings.open(loop, core, place);
        } else {
            // The listener was closed; what the handshake made belongs to the loop's thread now.
            loop.executeUnlessClosed(core::undo);
            throw new ChannelException(Reason.CLOSED, "the listener was closed");
        }
    }

    /** Whoever takes a connection out of the set has it: a handshake that has ended well, or close. */
    private void letGo(SocketChannel socket) {
        if (!inProgress.remove(socket)) {
            throw new ChannelException(Reason.CLOSED, "the listener was closed");
        }
    }

    private void endHandshake(SocketChannel socket) {
        if (inProgress.remove(socket)) {
            closeQuietly(socket);
        }
    }

    private static void closeQuietly(Channel channel) {
        try {
            channel.close();
        } catch (IOException unlikely) {
            LOGGER.debug("closing a connection", unlikely);
        }
    }
}

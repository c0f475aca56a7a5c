// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ConnectionMethod;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.events.ConnectEvent;
import io.rdmachannel.channel.events.ConnectEvent.Side;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects to listeners: attempts, in a virtual thread, until one succeeds or the time is over. */
public final class Connector {
    private static final Logger LOGGER = LoggerFactory.getLogger(Connector.class);
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private Connector() {}

    /**
     * Connects, and waits.
     *
     * @param address where
     * @param config how
     * @param handler who is told
     * @return a connected channel
     * @throws InterruptedException if interrupted
     */
    public static RdmaChannel connect(InetSocketAddress address, ChannelConfig config, ChannelHandler handler)
            throws InterruptedException {
        EventLoop loop = (EventLoop) config.poller().orElseGet(Connector::ownLoop);
        Attempts attempts = new Attempts(loop, address, config, handler);
        try {
            return await(attempts, loop, config.connectTimeout());
        } catch (InterruptedException | RuntimeException failed) {
            attempts.cancel();
            throw failed;
        } finally {
            if (loop.isOwner()) {
                loop.closeIfUnused();
            }
        }
    }

    /**
     * Connects without waiting.
     *
     * @param address where
     * @param config how
     * @param handler who is told
     * @return completes with a connected channel
     */
    public static CompletionStage<RdmaChannel> connectAsync(
            InetSocketAddress address, ChannelConfig config, ChannelHandler handler) {
        EventLoop loop = (EventLoop) config.poller()
                .orElseThrow(() -> new IllegalArgumentException("connectAsync needs a poller in the configuration,"
                        + " since nobody would poll: ChannelConfigBuilder.poller"));
        Attempts attempts = new Attempts(loop, address, config, handler);
        return attempts.start();
    }

    private static EventLoop ownLoop() {
        String name = "channel-" + NUMBERS.incrementAndGet();
        return EventLoop.create(PollerConfig.of(name)).ephemeral();
    }

    private static RdmaChannel await(Attempts attempts, EventLoop loop, Duration timeout) throws InterruptedException {
        CompletableFuture<RdmaChannel> result = attempts.start();
        Duration limit = timeout.plus(Duration.ofNanos(MARGIN_NANOS));
        if (loop.isOwner()) {
            loop.pollUntil(() -> result.isDone() || Thread.currentThread().isInterrupted(), limit);
            if (!result.isDone() && Thread.interrupted()) {
                throw new InterruptedException("interrupted while connecting");
            }
        }
        try {
            return result.get(loop.isOwner() ? 0 : limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof ChannelException known
                    ? known
                    : new ChannelException(Reason.TRANSPORT, "connecting failed", failed.getCause());
        } catch (TimeoutException late) {
            throw new ChannelException(
                    Reason.TIMEOUT,
                    "connecting has not ended within connectTimeout: the handshake is slow, or nobody polls the poller",
                    late);
        }
    }

    /** The attempts for one channel. */
    private static final class Attempts {
        private final EventLoop loop;
        private final InetSocketAddress address;
        private final ChannelConfig config;
        private final ChannelHandler handler;
        private final CompletableFuture<RdmaChannel> result = new CompletableFuture<>();
        private final ConnectEvent event;
        private Thread thread;

        Attempts(EventLoop loop, InetSocketAddress address, ChannelConfig config, ChannelHandler handler) {
            this.loop = loop;
            this.address = Objects.requireNonNull(address, "address");
            this.config = config;
            this.handler = Objects.requireNonNull(handler, "handler");
            this.event = ConnectEvent.follow(
                    result, Side.CONNECTING, address, config.connectionMethod().name());
            loop.hold();
        }

        CompletableFuture<RdmaChannel> start() {
            result.whenComplete((channel, failure) -> loop.release());
            thread = Thread.ofVirtual().name("rdma-channel-connect-" + address).start(this::run);
            return result;
        }

        void cancel() {
            result.cancel(false);
            thread.interrupt();
        }

        private void run() {
            Deadline deadline = Deadline.after(config.connectTimeout());
            Backoff backoff = new Backoff(ThreadLocalRandom.current());
            ChannelException last = null;
            while (!result.isDone()) {
                try {
                    attempt(deadline);
                    return;
                } catch (ChannelException failed) {
                    loop.counters().happened(ChannelCounter.FAILED_HANDSHAKES);
                    last = loop.handshakes().reason(failed);
                } catch (RuntimeException | Error thrown) {
                    loop.counters().happened(ChannelCounter.FAILED_HANDSHAKES);
                    result.completeExceptionally(thrown);
                    return;
                }
                Duration pause = backoff.next();
                if (!isWorthRepeating(last) || pause.compareTo(deadline.left()) >= 0 || !Backoff.slept(pause)) {
                    result.completeExceptionally(last);
                    loop.wakeUp();
                    return;
                }
                LOGGER.debug("connecting to {} again, since {}", address, last.getMessage());
            }
        }

        private void attempt(Deadline deadline) {
            event.attempt();
            loop.counters().happened(ChannelCounter.BEGUN_HANDSHAKES);
            try (var _ = loop.handshakes().begin()) {
                if (config.connectionMethod() == ConnectionMethod.RDMA_CM) {
                    attemptManaged(deadline.orAfter(config.handshakeTimeout()));
                } else {
                    attemptExchange(deadline);
                }
            }
        }

        private void attemptManaged(Deadline deadline) {
            ManagedConnection connection =
                    ManagedConnection.to(address, loop.sources().managerEvents());
            boolean kept = false;
            try {
                HandshakeParts parts = new HandshakeParts(loop, config, handler, connection, deadline);
                ChannelCore core = new ManagedHandshake(parts, connection).connect(address);
                kept = true;
                Openings.open(loop, core, result);
            } catch (ProtocolException wrong) {
                throw new ChannelException(Reason.PROTOCOL, "the peer at " + address + ": " + wrong.getMessage());
            } finally {
                if (!kept) {
                    connection.close();
                }
            }
        }

        private void attemptExchange(Deadline deadline) {
            SocketChannel socket = null;
            boolean kept = false;
            try {
                socket = SocketChannel.open();
                socket.socket().connect(address, deadline.millisLeft());
                ControlConnection control = new ControlConnection(socket);
                Deadline handshake = deadline.orAfter(config.handshakeTimeout());
                Entrance.enter(control, config, address, handshake);
                ChannelCore core = new ChannelCore(
                        new ClientHandshake(new HandshakeParts(loop, config, handler, control, handshake), control)
                                .run());
                kept = true;
                Openings.open(loop, core, result);
            } catch (IOException unreachable) {
                throw new ChannelException(
                        Reason.UNREACHABLE,
                        "no connection to " + address + ": " + unreachable.getMessage()
                                + "; is a listener bound there, and does a firewall let this port through?",
                        unreachable);
            } finally {
                if (!kept) {
                    close(socket);
                }
            }
        }

        private static boolean isWorthRepeating(ChannelException failure) {
            return switch (failure.reason()) {
                case UNREACHABLE, PEER_GONE, BUSY -> true;
                default -> false;
            };
        }

        private static void close(SocketChannel socket) {
            try {
                if (socket != null) {
                    socket.close();
                }
            } catch (IOException unlikely) {
                LOGGER.debug("closing a connection that came to nothing", unlikely);
            }
        }
    }
}

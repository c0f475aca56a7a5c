// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TCP connection on which the two sides agree, and which tells that the peer lives. Blocking, for virtual threads:
 * one at a time reads, one at a time writes.
 */
final class ControlConnection implements Control {
    private static final Logger LOGGER = LoggerFactory.getLogger(ControlConnection.class);
    private static final Duration GOODBYE_TIME = Duration.ofSeconds(2);
    /** How long a heartbeat may wait for a peer that does not read, when its silence is tolerated for ever. */
    private static final Duration BEAT_TIME = Duration.ofSeconds(30);

    private static final Duration REFUSAL_TIME = Duration.ofSeconds(1);

    private final SocketChannel socket;
    private final ControlStream stream;
    private final InetSocketAddress peer;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Heartbeat heartbeat = Heartbeat.NONE;
    private volatile ScheduledFuture<?> beats;
    /** Completes when nobody reads any more; whoever ends the connection must not read beside. */
    private volatile CompletableFuture<Void> watched = CompletableFuture.completedFuture(null);

    private volatile String session = "";

    ControlConnection(SocketChannel socket) throws IOException {
        this.socket = socket;
        this.stream = new ControlStream(socket);
        this.peer = (InetSocketAddress) socket.getRemoteAddress();
        socket.socket().setTcpNoDelay(true);
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

    InetSocketAddress local() {
        return (InetSocketAddress) socket.socket().getLocalSocketAddress();
    }

    SocketChannel socket() {
        return socket;
    }

    /** Sets how both sides show that they live, from {@link #watch} on. */
    void heartbeat(Heartbeat agreed) {
        heartbeat = agreed;
    }

    /** The deadline, or an earlier one by which a peer that lives has been heard of, if heartbeats are agreed upon. */
    Deadline whileTolerated(Deadline deadline) {
        Duration tolerance = heartbeat.tolerance();
        return tolerance.isZero() ? deadline : deadline.orAfter(tolerance);
    }

    ControlStream stream() {
        return stream;
    }

    /** What a second connection must show; see {@link AttachProof}. */
    byte[] attachProof(byte[] secret, byte[] session) {
        return AttachProof.of(secret, stream.attachKey(), session);
    }

    void send(ControlFrame.Type type, Fields fields) throws IOException {
        stream.write(new ControlFrame(type, fields.encode()));
    }

    /**
     * Looks at the first byte.
     *
     * @return the byte, or -1 at the end of the connection
     * @throws ChannelException at the deadline
     */
    int first(Deadline deadline) throws IOException {
        try {
            return stream.first(deadline);
        } catch (SocketTimeoutException late) {
            throw late(late);
        }
    }

    /**
     * Reads the next frame that this version knows, heartbeats left out.
     *
     * @param deadline until when
     * @return the frame, or null at the end of the connection
     * @throws ChannelException at the deadline
     */
    ControlFrame receive(Deadline deadline) throws IOException {
        try {
            ControlFrame frame;
            do {
                frame = stream.read(deadline);
            } while (frame != null && frame.type().isSkipped());
            return frame;
        } catch (SocketTimeoutException late) {
            throw late(late);
        } catch (SSLException refused) {
            throw distrusted(refused);
        }
    }

    ChannelException late(IOException cause) {
        return new ChannelException(
                Reason.TIMEOUT,
                "the peer at " + peer + " has not answered within handshakeTimeout: it is overloaded, or no channel"
                        + " listener",
                cause);
    }

    ChannelException distrusted(SSLException cause) {
        return new ChannelException(
                Reason.NOT_AUTHENTICATED,
                "there is no TLS with the peer at " + peer + ": " + cause.getMessage() + "; tls must be configured on"
                        + " both sides, with certificates that the other side trusts",
                cause);
    }

    /** Sends a refusal, as the last word; blocks for at most a second. */
    void refuse(Reason reason, String sentence) {
        try {
            send(ControlFrame.Type.REFUSE, refusal(reason, sentence));
            stream.end(Deadline.after(REFUSAL_TIME), watched);
        } catch (IOException gone) {
            LOGGER.debug("the peer at {} did not wait for its refusal: {}", peer, gone.toString());
        }
    }

    /** Turns a refusal of the peer into an exception. */
    ChannelException refused(ControlFrame frame) {
        Fields fields = Fields.decode(frame.payload());
        String refusal = fields.text(Fields.Tag.REFUSAL);
        // Too slow counts as busy: opening a device takes long the first time only.
        boolean busy = refusal.equals(Reason.BUSY.name()) || refusal.equals(Reason.TIMEOUT.name());
        return new ChannelException(
                busy ? Reason.BUSY : lasting(refusal),
                "the peer at " + peer + " refused: " + fields.text(Fields.Tag.REASON));
    }

    private static Reason lasting(String refusal) {
        return Stream.of(Reason.PEER_RESTARTED, Reason.NOT_AUTHENTICATED)
                .filter(reason -> reason.name().equals(refusal))
                .findFirst()
                .orElse(Reason.REFUSED);
    }

    /** Sends heartbeats; reads until the end, in a thread of its own, and tells it. */
    @Override
    public void watch(Watcher watcher) {
        long interval = heartbeat.interval().toNanos();
        if (interval > 0) {
            beats = HeartbeatThread.every(interval, () -> beat(watcher));
        }
        CompletableFuture<Void> reading = new CompletableFuture<>();
        watched = reading;
        Thread.ofVirtual().name("rdma-channel-control-" + peer).start(() -> {
            ControlEnd end = ControlEnd.BROKEN;
            try {
                end = readToTheEnd(watcher);
            } finally {
                reading.complete(null);
                watcher.ended(end);
            }
        });
    }

    @Override
    public void end(boolean orderly) {
        if (ended.compareAndSet(false, true)) {
            Thread.ofVirtual().name("rdma-channel-goodbye-" + peer).start(() -> {
                if (orderly) {
                    sayGoodbye();
                }
                close();
            });
        }
    }

    @Override
    public void giveUp(String sentence) {
        if (ended.compareAndSet(false, true)) {
            Thread.ofVirtual().name("rdma-channel-give-up-" + peer).start(() -> {
                refuse(Reason.CLOSED, sentence);
                close();
            });
        }
    }

    @Override
    public void fallSilent() {
        stopBeating();
        try {
            socket.shutdownOutput();
        } catch (IOException gone) {
            LOGGER.trace("the connection to {} is over already: {}", peer, gone.toString());
        }
    }

    @Override
    public void close() {
        stopBeating();
        try {
            socket.close();
        } catch (IOException unlikely) {
            LOGGER.debug("closing the control connection to {}", peer, unlikely);
        }
    }

    private void beat(Watcher watcher) {
        Duration tolerance = heartbeat.tolerance();
        CutOff limit = CutOff.at(Deadline.after(tolerance.isZero() ? BEAT_TIME : tolerance), socket);
        try {
            send(ControlFrame.Type.HEARTBEAT, new Fields());
            watcher.beat();
        } catch (IOException gone) {
            LOGGER.debug("no heartbeat to {} any more: {}", peer, gone.toString());
            stopBeating();
        } finally {
            limit.callOff();
        }
    }

    private void stopBeating() {
        ScheduledFuture<?> running = beats;
        if (running != null) {
            running.cancel(false);
        }
    }

    private void sayGoodbye() {
        stopBeating();
        try {
            send(ControlFrame.Type.GOODBYE, new Fields());
            stream.end(Deadline.after(GOODBYE_TIME), watched);
        } catch (IOException gone) {
            LOGGER.trace("the peer at {} was gone before the goodbye: {}", peer, gone.toString());
        }
    }

    private ControlEnd readToTheEnd(Watcher watcher) {
        try {
            int silence = (int) Math.min(heartbeat.tolerance().toMillis(), Integer.MAX_VALUE);
            ControlFrame frame = stream.read(silence);
            long last = System.nanoTime();
            while (frame != null) {
                if (frame.type() == ControlFrame.Type.GOODBYE) {
                    return ControlEnd.GOODBYE;
                }
                if (frame.type() == ControlFrame.Type.HEARTBEAT) {
                    long now = System.nanoTime();
                    watcher.heard(now - last, heartbeat);
                    last = now;
                }
                if (frame.type() == ControlFrame.Type.REFUSE) {
                    LOGGER.warn(
                            "the peer at {} gives its channel up: {}",
                            peer,
                            refused(frame).getMessage());
                    return ControlEnd.GIVEN_UP;
                }
                frame = stream.read(silence);
            }
        } catch (SocketTimeoutException silent) {
            LOGGER.debug("nothing heard of the peer at {} for {}", peer, heartbeat.tolerance());
            return ControlEnd.SILENT;
        } catch (IOException | ProtocolException broken) {
            LOGGER.debug("the control connection to {} broke: {}", peer, broken.toString());
        }
        return ControlEnd.BROKEN;
    }

    private static Fields refusal(Reason reason, String sentence) {
        return new Fields().put(Fields.Tag.REFUSAL, reason.name()).put(Fields.Tag.REASON, sentence);
    }
}

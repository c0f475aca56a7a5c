// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.RecoveryPolicy;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connecting side's attempts to connect a channel anew, in a virtual thread: until one succeeds, or, for a return
 * to RDMA while TCP works, once.
 */
final class Reconnection {
    private static final Logger LOGGER = LoggerFactory.getLogger(Reconnection.class);

    private final ChannelCore channel;
    private final Recovery recovery;
    private final EventLoop loop;
    private final ChannelConfig config;
    private final Resumable resumable;
    private final boolean isReturn;
    private volatile SocketChannel socket;

    Reconnection(ChannelCore channel, Transport transport, boolean isReturn) {
        this.channel = channel;
        this.recovery = channel.recovery();
        this.loop = channel.loop();
        ChannelConfig asked = channel.config();
        this.config = asked.toBuilder()
                .transport(transport)
                .recovery(recoveryOver(transport, asked.recovery()))
                .build();
        this.resumable = channel.setup().resumable().orElseThrow();
        this.isReturn = isReturn;
    }

    /** Whether it is made while TCP works. */
    boolean isReturn() {
        return isReturn;
    }

    void start() {
        Thread.ofVirtual()
                .name("rdma-channel-reconnect-" + channel.peerAddress())
                .start(this::run);
    }

    /** Ends the present attempt soon; the recovery does not want another one any more. Any thread. */
    void cancel() {
        SocketChannel present = socket;
        if (present != null) {
            close(present);
        }
    }

    private void run() {
        Backoff backoff = new Backoff(ThreadLocalRandom.current());
        int attempts = 0;
        while (recovery.isWanted(this)) {
            ChannelException failure = failureOfAttempt();
            attempts++;
            if (failure == null) {
                return;
            }
            LOGGER.debug("{}: attempt {} to connect anew: {}", channel, attempts, failure.getMessage());
            if (isReturn) {
                loop.executeUnlessClosed(() -> recovery.returnFailed(failure));
                return;
            }
            if (!isWorthRepeating(failure) || attempts == config.recoveryAttempts() || !Backoff.slept(backoff.next())) {
                loop.executeUnlessClosed(() -> giveUp(failure));
                return;
            }
        }
        loop.executeUnlessClosed(() -> recovery.notWanted(this));
    }

    private void giveUp(ChannelException failure) {
        if (recovery.isWanted(this)) {
            recovery.giveUp(failure);
        }
    }

    private ChannelException failureOfAttempt() {
        try (var _ = loop.handshakes().begin()) {
            attempt();
            return null;
        } catch (ChannelException failed) {
            return failed;
        } catch (ProtocolException wrong) {
            return new ChannelException(Reason.PROTOCOL, "the peer: " + wrong.getMessage(), wrong);
        } catch (IOException unreachable) {
            return new ChannelException(
                    Reason.UNREACHABLE,
                    "no connection to " + channel.peerAddress() + ": " + unreachable.getMessage(),
                    unreachable);
        } catch (RuntimeException unexpected) {
            LOGGER.error("{}: connecting anew failed", channel, unexpected);
            return new ChannelException(Reason.TRANSPORT, "connecting anew failed: " + unexpected, unexpected);
        }
    }

    private void attempt() throws IOException {
        Deadline deadline = Deadline.after(config.handshakeTimeout());
        socket = SocketChannel.open();
        Candidate candidate = null;
        boolean kept = false;
        try {
            socket.socket().connect(resumable.listener().orElseThrow(), deadline.millisLeft());
            ControlConnection control = new ControlConnection(socket);
            Entrance.enter(control, config, resumable.listener().orElseThrow(), deadline);
            HandshakeParts parts = new HandshakeParts(
                    loop,
                    config,
                    channel.handler(),
                    control,
                    deadline,
                    loop.sources().owning(channel.pool()));
            candidate = new Candidate(new ClientHandshake(parts, control, resumable, recovery.nextEpoch()).run());
            prove(candidate, deadline);
            goOver(candidate, control, deadline);
            kept = true;
        } finally {
            if (!kept) {
                abandon(candidate);
            }
        }
    }

    private void prove(Candidate candidate, Deadline deadline) {
        LoopCall.in(loop, deadline, () -> {
            candidate.begin();
            return null;
        });
        LoopCall.await(candidate.proof(), deadline, "the new connection carries nothing");
    }

    private void goOver(Candidate candidate, ControlConnection control, Deadline deadline) throws IOException {
        Delivered own = LoopCall.in(loop, deadline, () -> {
            if (!recovery.isWanted(this) || !recovery.suspend()) {
                throw new ChannelException(Reason.CLOSED, channel + " does not wait for a connection any more");
            }
            return recovery.delivered();
        });
        control.send(ControlFrame.Type.RESUME, own.fields());
        // Messages stand still until a return has ended, though TCP may work.
        ControlFrame answer = control.receive(isReturn ? control.whileTolerated(deadline) : deadline);
        if (answer == null) {
            throw new ChannelException(Reason.PEER_GONE, "the peer went away while the channel was being resumed");
        }
        if (answer.type() == ControlFrame.Type.REFUSE) {
            throw control.refused(answer);
        }
        if (answer.type() != ControlFrame.Type.RESUMED) {
            throw new ProtocolException("it answers RESUME with " + answer.type());
        }
        Delivered peer = Delivered.from(Fields.decode(answer.payload()));
        LoopCall.in(loop, deadline, () -> {
            recovery.adopt(candidate, peer);
            return null;
        });
    }

    private void abandon(Candidate candidate) {
        if (candidate != null) {
            loop.executeUnlessClosed(candidate::abandon);
        }
        close(socket);
    }

    private static void close(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException unlikely) {
            LOGGER.debug("closing a connection that came to nothing", unlikely);
        }
    }

    private static RecoveryPolicy recoveryOver(Transport transport, RecoveryPolicy policy) {
        return transport == Transport.RDMA && policy == RecoveryPolicy.DEGRADE ? RecoveryPolicy.BLOCK : policy;
    }

    private static boolean isWorthRepeating(ChannelException failure) {
        return switch (failure.reason()) {
            case PEER_RESTARTED, PROTOCOL, NOT_AUTHENTICATED, CLOSED, HANDLER, REMOTE_ACCESS -> false;
            default -> true;
        };
    }
}

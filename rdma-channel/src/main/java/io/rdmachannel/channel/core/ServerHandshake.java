// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.channel.tcp.TcpPendingLink;
import java.io.IOException;
import java.util.Optional;

/** The accepting side of one handshake, in a thread that may block. */
final class ServerHandshake {
    private final HandshakeParts parts;
    private final EventLoop loop;
    private final ChannelConfig config;
    private final ControlConnection control;
    private final Attachments attachments;
    private final Deadline deadline;
    private final byte[] secret = Session.random();
    /** Null when the session begins. */
    private final Resumable resumed;

    private Receives receives;
    private PendingLink link;

    /** Of a new session. */
    ServerHandshake(HandshakeParts parts, ControlConnection control, Attachments attachments) {
        this(parts, control, attachments, null);
    }

    /** Of a session that is connected anew. */
    ServerHandshake(HandshakeParts parts, ControlConnection control, Attachments attachments, Resumable resumed) {
        this.resumed = resumed;
        this.parts = parts;
        this.loop = parts.loop();
        this.config = parts.config();
        this.control = control;
        this.deadline = parts.deadline();
        this.attachments = attachments;
    }

    /**
     * Agrees with the peer.
     *
     * @param hello what the peer began with
     * @return what a channel only has to begin with
     * @throws ChannelException if there will be none; everything is undone then, but for the control connection
     * @throws ProtocolException if the peer does not keep to the protocol; likewise
     * @throws IOException if the control connection broke; likewise
     */
    ChannelSetup run(Fields hello) throws IOException {
        byte[] session = hello.bytes(Tag.SESSION, Session.BYTES);
        control.session(session);
        attachments.expect(session, control.attachProof(secret, session));
        try {
            return agree(hello, session);
        } catch (RuntimeException | Error | IOException failed) {
            undo();
            throw failed;
        } finally {
            attachments.forget(session, control.attachProof(secret, session));
        }
    }

    private ChannelSetup agree(Fields hello, byte[] session) throws IOException {
        Conversation values = Conversation.between(config, loop.config().sharedReceives(), hello);
        int offered = (int) hello.number(Tag.TRANSPORTS, 1, 0, 255);
        Optional<String> reason = tryRdma(hello, offered, values);
        if (link == null && (config.transport() == Transport.RDMA || (offered & Offer.TCP_BIT) == 0)) {
            throw new ChannelException(
                    Reason.UNAVAILABLE,
                    "RDMA is required by " + (config.transport() == Transport.RDMA ? "this side" : "the peer")
                            + " and cannot be: " + reason.orElse("one side is configured for TCP only"));
        }
        Fields welcome = new Fields().put(Tag.SESSION, session).put(Tag.ATTACH_SECRET, secret);
        welcome.put(Tag.TRANSPORTS, 1, link == null ? Offer.TCP_BIT : Offer.RDMA_BIT);
        welcome.put(Tag.REASON, reason.orElse("it is configured for TCP"));
        Conversation.describe(config, loop.config().sharedReceives(), welcome);
        Optional<Resumable> resumable = resumable(session, hello);
        Resumable.describe(config, welcome);
        if (resumed == null) {
            resumable.ifPresent(known -> welcome.put(Tag.RESUME_SECRET, known.secret()));
        }
        Heartbeat.describe(config, welcome);
        control.heartbeat(Heartbeat.between(config, hello));
        if (link != null) {
            link.describe(welcome);
        }
        control.send(ControlFrame.Type.WELCOME, welcome);
        Fields ready = ready();
        boolean overRdma = ready.number(Tag.TRANSPORTS, 1, Offer.TCP_BIT, Offer.RDMA_BIT) == Offer.RDMA_BIT;
        if (overRdma && link == null) {
            throw new ProtocolException("it wants RDMA, which was not offered");
        }
        return overRdma
                ? parts.setup(new Agreement(values, Transport.RDMA, resumable), Optional.empty(), link, receives)
                : overTcp(new Agreement(values, Transport.TCP, resumable), session, reason);
    }

    private Optional<Resumable> resumable(byte[] session, Fields hello) {
        if (resumed != null) {
            return Optional.of(resumed);
        }
        return Resumable.agreed(config, hello)
                ? Optional.of(new Resumable(session, Session.random(), Optional.empty()))
                : Optional.empty();
    }

    /** Makes this end of a queue pair, if both sides can; else says why not. */
    private Optional<String> tryRdma(Fields hello, int offered, Conversation values) {
        if ((offered & Offer.RDMA_BIT) == 0) {
            String reason = hello.text(Tag.REASON);
            return reason.isEmpty() ? Optional.empty() : Optional.of("the peer: " + reason);
        }
        Offer offer = Offer.of(parts, control.local().getAddress());
        if (offer.rdma() == null) {
            return offer.reason();
        }
        link = offer.rdma();
        try {
            receives = parts.receives(offer.source(), values);
            receives.supplyAll(link);
            link.connect(hello);
            return Optional.empty();
        } catch (ChannelException impossible) {
            undo();
            return Optional.of(impossible.getMessage());
        }
    }

    private Fields ready() throws IOException {
        ControlFrame answer = control.receive(deadline);
        if (answer == null || answer.type() == ControlFrame.Type.REFUSE) {
            throw answer == null
                    ? new ChannelException(
                            Reason.PEER_GONE, "the peer at " + control.peer() + " went away during the handshake")
                    : control.refused(answer);
        }
        if (answer.type() != ControlFrame.Type.READY) {
            throw new ProtocolException("it answers WELCOME with " + answer.type());
        }
        return Fields.decode(answer.payload());
    }

    private ChannelSetup overTcp(Agreement agreement, byte[] session, Optional<String> reason) throws IOException {
        undo();
        TcpPendingLink tcp = loop.sources().tcp().prepare(config);
        link = tcp;
        receives = parts.receives(loop.sources().tcp(), agreement.values());
        receives.supplyAll(tcp);
        tcp.attach(attachments.await(session, deadline));
        boolean fellBack = config.transport() == Transport.AUTO;
        Optional<String> told = fellBack ? reason.or(() -> Optional.of("the peer chose TCP")) : Optional.empty();
        return parts.setup(agreement, told, link, receives);
    }

    private void undo() {
        if (link != null) {
            link.abandon();
            link = null;
        }
        if (receives != null) {
            receives.close();
            receives = null;
        }
    }
}

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
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** The connecting side of one handshake, in a thread that may block. */
final class ClientHandshake {
    private final HandshakeParts parts;
    private final EventLoop loop;
    private final ChannelConfig config;
    private final ControlConnection control;
    private final Deadline deadline;
    private final byte[] session;
    /** Null when the session begins. */
    private final Resumable resumed;

    private final long epoch;
    private Receives receives;
    private PendingLink link;

    /** Of a new session. */
    ClientHandshake(HandshakeParts parts, ControlConnection control) {
        this(parts, control, null, 0);
    }

    /** Of a session that is connected anew. */
    ClientHandshake(HandshakeParts parts, ControlConnection control, Resumable resumed, long epoch) {
        this.resumed = resumed;
        this.epoch = epoch;
        this.session = resumed == null ? Session.random() : resumed.session();
        this.parts = parts;
        this.loop = parts.loop();
        this.config = parts.config();
        this.control = control;
        this.deadline = parts.deadline();
        control.session(session);
    }

    /**
     * Agrees with the peer.
     *
     * @return what a channel only has to begin with
     * @throws ChannelException if there will be none; everything is undone then, but for the control connection
     * @throws IOException if the control connection broke
     */
    ChannelSetup run() throws IOException {
        Offer offer = Offer.of(parts, control.local().getAddress());
        try {
            return agree(offer);
        } catch (ProtocolException wrong) {
            undo(offer);
            control.refuse(Reason.PROTOCOL, wrong.getMessage());
            throw new ChannelException(Reason.PROTOCOL, "the peer at " + control.peer() + ": " + wrong.getMessage());
        } catch (RuntimeException | Error | IOException failed) {
            undo(offer);
            throw failed;
        }
    }

    private ChannelSetup agree(Offer offer) throws IOException {
        Fields hello = new Fields().put(Tag.SESSION, session).put(Tag.EPOCH, 8, epoch);
        if (resumed != null) {
            hello.put(Tag.RESUME_PROOF, resumed.proof(epoch));
        }
        Resumable.describe(config, hello);
        Heartbeat.describe(config, hello);
        hello.put(Tag.TRANSPORTS, 1, offer.bits(config));
        Conversation.describe(config, loop.config().sharedReceives(), hello);
        if (offer.rdma() != null) {
            offer.rdma().describe(hello);
        }
        offer.reason().ifPresent(reason -> hello.put(Tag.REASON, reason));
        control.send(ControlFrame.Type.HELLO, hello);
        Fields welcome = welcome();
        Conversation values = Conversation.between(config, loop.config().sharedReceives(), welcome);
        control.heartbeat(Heartbeat.between(config, welcome));
        int chosen = (int) welcome.number(Tag.TRANSPORTS, 1, Offer.TCP_BIT, Offer.RDMA_BIT);
        return chosen == Offer.RDMA_BIT && offer.rdma() != null
                ? overRdma(offer, values, welcome)
                : overTcp(offer, values, welcome, reasonOf(offer, welcome));
    }

    private Fields welcome() throws IOException {
        ControlFrame answer = control.receive(deadline);
        if (answer == null) {
            throw new ChannelException(
                    Reason.PEER_GONE,
                    "the peer at " + control.peer() + " closed the connection without an answer: too many handshakes"
                            + " are going on there, or it is no channel listener");
        }
        if (answer.type() == ControlFrame.Type.REFUSE) {
            throw control.refused(answer);
        }
        if (answer.type() != ControlFrame.Type.WELCOME) {
            throw new ProtocolException("it answers HELLO with " + answer.type());
        }
        return Fields.decode(answer.payload());
    }

    private Agreement agreement(Conversation values, Transport transport, Fields welcome) {
        Optional<Resumable> resumable = Optional.ofNullable(resumed);
        if (resumed == null && Resumable.agreed(config, welcome)) {
            byte[] secret = welcome.bytes(Tag.RESUME_SECRET, Session.BYTES);
            resumable = Optional.of(new Resumable(session, secret, Optional.of(control.peer())));
        }
        return new Agreement(values, transport, resumable);
    }

    private ChannelSetup overRdma(Offer offer, Conversation values, Fields welcome) throws IOException {
        link = offer.rdma();
        try {
            receives = parts.receives(offer.source(), values);
            receives.supplyAll(link);
            link.connect(welcome);
        } catch (ChannelException impossible) {
            if (config.transport() == Transport.RDMA) {
                throw impossible;
            }
            undo(offer);
            receives = null;
            return overTcp(offer, values, welcome, Optional.of(impossible.getMessage()));
        }
        control.send(ControlFrame.Type.READY, new Fields().put(Tag.TRANSPORTS, 1, Offer.RDMA_BIT));
        return parts.setup(agreement(values, Transport.RDMA, welcome), Optional.empty(), link, receives);
    }

    private ChannelSetup overTcp(Offer offer, Conversation values, Fields welcome, Optional<String> reason)
            throws IOException {
        if (config.transport() == Transport.RDMA) {
            throw new ChannelException(
                    Reason.UNAVAILABLE,
                    "this side requires RDMA, and the peer at " + control.peer() + " chose TCP: "
                            + reason.orElse("it gave no reason"));
        }
        offer.abandon();
        TcpPendingLink tcp = loop.sources().tcp().prepare(config);
        link = tcp;
        receives = parts.receives(loop.sources().tcp(), values);
        receives.supplyAll(tcp);
        tcp.attach(secondConnection(welcome.bytes(Tag.ATTACH_SECRET, Session.BYTES)));
        control.send(ControlFrame.Type.READY, new Fields().put(Tag.TRANSPORTS, 1, Offer.TCP_BIT));
        return parts.setup(agreement(values, Transport.TCP, welcome), reason, link, receives);
    }

    private SocketChannel secondConnection(byte[] secret) throws IOException {
        SocketChannel socket = SocketChannel.open();
        try {
            socket.socket().connect(control.peer(), deadline.millisLeft());
            ControlConnection second = new ControlConnection(socket);
            second.send(
                    ControlFrame.Type.ATTACH,
                    new Fields().put(Tag.SESSION, session).put(Tag.PROOF, control.attachProof(secret, session)));
            return socket;
        } catch (IOException | RuntimeException failed) {
            socket.close();
            throw failed;
        }
    }

    private Optional<String> reasonOf(Offer offer, Fields welcome) {
        if (config.transport() != Transport.AUTO) {
            return Optional.empty();
        }
        return offer.reason().or(() -> Optional.of("the peer: " + welcome.text(Tag.REASON)));
    }

    private void undo(Offer offer) {
        offer.abandon();
        if (link != null) {
            link.abandon();
        }
        if (receives != null) {
            receives.close();
        }
    }
}

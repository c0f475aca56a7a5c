// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.IOException;

/** The accepting side of connecting a channel anew, in a thread that may block. */
final class ServerResumption {
    private final ChannelCore channel;
    private final ControlConnection control;
    private final Deadline deadline;

    ServerResumption(ChannelCore channel, ControlConnection control, Deadline deadline) {
        this.channel = channel;
        this.control = control;
        this.deadline = deadline;
    }

    /** What the handshake needs; with the memory that the channel has already. */
    HandshakeParts parts() {
        EventLoop loop = channel.loop();
        return new HandshakeParts(
                loop,
                channel.config(),
                channel.handler(),
                control,
                deadline,
                loop.sources().owning(channel.pool()));
    }

    /**
     * Agrees with the peer, and lets the channel go on.
     *
     * @param hello what the peer began with
     * @param attachments where second connections arrive
     * @throws ChannelException if nothing comes of it; the channel waits on then
     * @throws ProtocolException if the peer does not keep to the protocol; likewise
     * @throws IOException if the control connection broke; likewise
     */
    void run(Fields hello, Attachments attachments) throws IOException {
        Resumable resumable = channel.setup().resumable().orElseThrow();
        Candidate candidate = new Candidate(new ServerHandshake(parts(), control, attachments, resumable).run(hello));
        try {
            Delivered peer = peer();
            Delivered own = LoopCall.in(channel.loop(), deadline, () -> goOver(candidate, peer));
            control.send(ControlFrame.Type.RESUMED, own.fields());
        } finally {
            channel.loop().executeUnlessClosed(candidate::abandon);
        }
    }

    private Delivered goOver(Candidate candidate, Delivered peer) {
        Recovery recovery = channel.recovery();
        if (deadline.isOver() || !recovery.suspend()) {
            throw new ChannelException(Reason.CLOSED, channel + " does not wait for a connection any more");
        }
        Delivered own = recovery.delivered();
        candidate.begin();
        recovery.adopt(candidate, peer);
        return own;
    }

    private Delivered peer() throws IOException {
        ControlFrame frame = control.receive(deadline);
        if (frame == null || frame.type() == ControlFrame.Type.REFUSE) {
            throw frame == null
                    ? new ChannelException(
                            Reason.PEER_GONE, "the peer at " + control.peer() + " went away before it resumed")
                    : control.refused(frame);
        }
        if (frame.type() != ControlFrame.Type.RESUME) {
            throw new ProtocolException("it sends " + frame.type() + " and not RESUME");
        }
        return Delivered.from(Fields.decode(frame.payload()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.SharedSecret;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.ControlFrame.Type;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.IOException;
import java.security.SecureRandom;

/**
 * Each side proves that it knows the shared secret, without telling it: both give a nonce, and then a code over both
 * nonces. The connecting side proves it first, so that a listener shows nothing made of its secret to whoever comes.
 * From then on every frame carries a code, which {@link FrameCodes} makes and checks.
 */
final class Authentication {
    /** The same for every cause, so that it tells a stranger nothing. */
    static final String REFUSAL = "authentication failed; both sides must be configured with the same sharedSecret";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final ControlConnection control;
    private final SharedSecret secret;
    private final Deadline deadline;
    private final byte[] nonce = new byte[SessionKeys.NONCE_BYTES];

    Authentication(ControlConnection control, SharedSecret secret, Deadline deadline) {
        this.control = control;
        this.secret = secret;
        this.deadline = deadline;
        RANDOM.nextBytes(nonce);
    }

    /**
     * The connecting side's part.
     *
     * @throws ChannelException (NOT_AUTHENTICATED) if the peer does not know the secret; or the peer's refusal
     * @throws ProtocolException if the peer does not keep to the protocol
     * @throws IOException if the connection broke
     */
    void connect() throws IOException {
        sendNonce();
        byte[] peers = expect(Type.CHALLENGE).bytes(Tag.NONCE, SessionKeys.NONCE_BYTES);
        SessionKeys keys =
                new SessionKeys(secret, nonce, peers, control.stream().tlsBinding());
        sendProof(keys, Side.CONNECTING);
        checkProof(keys, Side.ACCEPTING);
        control.stream().protect(keys, Side.CONNECTING);
    }

    /**
     * The accepting side's part; throws as the other one does.
     *
     * @param challenge what the peer began with
     */
    void accept(Fields challenge) throws IOException {
        byte[] peers = challenge.bytes(Tag.NONCE, SessionKeys.NONCE_BYTES);
        sendNonce();
        SessionKeys keys =
                new SessionKeys(secret, peers, nonce, control.stream().tlsBinding());
        checkProof(keys, Side.CONNECTING);
        sendProof(keys, Side.ACCEPTING);
        control.stream().protect(keys, Side.ACCEPTING);
    }

    private void sendNonce() throws IOException {
        control.send(Type.CHALLENGE, new Fields().put(Tag.NONCE, nonce));
    }

    private void sendProof(SessionKeys keys, Side side) throws IOException {
        control.send(Type.PROOF, new Fields().put(Tag.PROOF, keys.proof(side)));
    }

    private void checkProof(SessionKeys keys, Side side) throws IOException {
        byte[] proof = expect(Type.PROOF).bytes(Tag.PROOF, Hmac.BYTES);
        if (!Hmac.isSame(proof, keys.proof(side))) {
            throw new ChannelException(Reason.NOT_AUTHENTICATED, REFUSAL);
        }
    }

    private Fields expect(Type type) throws IOException {
        ControlFrame answer = control.receive(deadline);
        if (answer == null) {
            throw new ChannelException(
                    Reason.PEER_GONE,
                    "the peer at " + control.peer() + " closed the connection while the two sides authenticated"
                            + " each other: too many handshakes are going on there, or it is no channel listener");
        }
        if (answer.type() == Type.REFUSE) {
            throw control.refused(answer);
        }
        if (answer.type() != type) {
            throw new ProtocolException("it sends " + answer.type() + " where " + type + " must come");
        }
        return Fields.decode(answer.payload());
    }
}

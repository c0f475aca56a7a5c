// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.SharedSecret;
import java.nio.charset.StandardCharsets;

/**
 * What one connection derives from the shared secret, the nonces of both sides and the TLS connection around it:
 * different each time.
 */
final class SessionKeys {
    /** The size of a nonce. */
    static final int NONCE_BYTES = 32;

    private final SharedSecret secret;
    private final byte[] connectingNonce;
    private final byte[] acceptingNonce;
    private final byte[] tlsBinding;

    /**
     * Begins.
     *
     * @param tlsBinding see {@link TlsBinding}; empty without TLS
     */
    SessionKeys(SharedSecret secret, byte[] connectingNonce, byte[] acceptingNonce, byte[] tlsBinding) {
        this.tlsBinding = tlsBinding;
        this.secret = secret;
        this.connectingNonce = connectingNonce;
        this.acceptingNonce = acceptingNonce;
    }

    /** What proves that a side knows the secret; the only value of these that is told. */
    byte[] proof(Side side) {
        return derive("proof of the " + side.label() + " side");
    }

    /** The codes behind the frames that a side sends. */
    FrameCodes frames(Side side) {
        return new FrameCodes(derive("frames of the " + side.label() + " side"));
    }

    /** What second connections of this one are proven with. */
    byte[] attachKey() {
        return derive("second connection");
    }

    private byte[] derive(String purpose) {
        byte[] label = ("rdma-channel 1 " + purpose + "\0").getBytes(StandardCharsets.US_ASCII);
        return Hmac.of(secret.mac(), label, connectingNonce, acceptingNonce, tlsBinding);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a second connection shows: that whoever opens it has been told the secret of the handshake. It names one
 * session, which takes one second connection, so it is worth nothing to whoever sees it pass.
 */
final class AttachProof {
    private static final byte[] LABEL = "rdma-channel 1 attach\0".getBytes(StandardCharsets.US_ASCII);

    private AttachProof() {}

    /**
     * Makes the proof.
     *
     * @param secret what the accepting side has told on the control connection
     * @param attachKey what both sides derive from a shared secret, and nobody can read on a connection without TLS;
     *     empty without a shared secret
     * @param session which the connection belongs to
     */
    static byte[] of(byte[] secret, byte[] attachKey, byte[] session) {
        byte[] key = Arrays.copyOf(secret, secret.length + attachKey.length);
        System.arraycopy(attachKey, 0, key, secret.length, attachKey.length);
        return Hmac.of(Hmac.keyed(key), LABEL, session);
    }
}

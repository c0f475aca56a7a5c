// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.RecoveryPolicy;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a channel needs to be connected anew: both sides want that, and know a secret by which the second connection is
 * believed to belong to it.
 *
 * @param session names the channel on both sides
 * @param secret of this session
 * @param listener where the connecting side connects again; empty on the accepting side
 */
record Resumable(byte[] session, byte[] secret, Optional<InetSocketAddress> listener) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int PROOF_BYTES = 32;

    /** Says whether this side recovers. */
    static void describe(ChannelConfig config, Fields message) {
        message.put(Tag.RECOVERY, 1, wants(config) ? 1 : 0);
    }

    static boolean wants(ChannelConfig config) {
        return config.recovery() != RecoveryPolicy.FAIL;
    }

    /** Whether both sides recover. */
    static boolean agreed(ChannelConfig config, Fields peer) {
        return wants(config) && peer.has(Tag.RECOVERY) && peer.number(Tag.RECOVERY, 1, 0, 1) == 1;
    }

    /** The proof that goes with a HELLO of a later epoch. */
    byte[] proof(long epoch) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update(session);
            return mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(epoch).array());
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("every Java platform has " + ALGORITHM, impossible);
        }
    }

    /** Whether a HELLO of a later epoch is of this session. */
    boolean isProvenBy(Fields hello, long epoch) {
        return Session.isSame(proof(epoch), hello.bytes(Tag.RESUME_PROOF, PROOF_BYTES));
    }

    @Override
    public String toString() {
        return "a session that can be resumed";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.RecoveryPolicy;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a channel needs to be connected anew: both sides want that, and know a secret by which the second connection is
 * believed to belong to it.
 *
 * @param session names the channel on both sides
 * @param secret of this session
 * @param listener where the connecting side connects again; empty on the accepting side
 */
record Resumable(byte[] session, byte[] secret, Optional<InetSocketAddress> listener) {
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
        return Hmac.of(
                Hmac.keyed(secret),
                session,
                ByteBuffer.allocate(Long.BYTES).putLong(epoch).array());
    }

    /** Whether a HELLO of a later epoch is of this session. */
    boolean isProvenBy(Fields hello, long epoch) {
        return Hmac.isSame(proof(epoch), hello.bytes(Tag.RESUME_PROOF, Hmac.BYTES));
    }

    @Override
    public String toString() {
        return "a session that can be resumed";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.channel.core.Hmac;
import java.util.Objects;
import javax.crypto.Mac;

/**
 * What both sides of a channel know and nobody else: they prove it to each other before anything else is said. Made by
 * {@link ChannelConfigBuilder#sharedSecret}. Immutable; any thread. Its bytes are given to nobody, and are in no text.
 */
public final class SharedSecret {
    /** The least size. Take random bytes: whoever sees a handshake can try guesses on it at leisure. */
    public static final int MIN_BYTES = 16;

    private final byte[] bytes;

    SharedSecret(byte[] bytes) {
        Objects.requireNonNull(bytes, "sharedSecret");
        if (bytes.length < MIN_BYTES) {
            throw new IllegalArgumentException("sharedSecret has " + bytes.length + " bytes, and must have at least "
                    + MIN_BYTES + "; take random bytes, such as 32 of SecureRandom, and no password");
        }
        this.bytes = bytes.clone();
    }

    /**
     * Gives a code that only who knows the secret can make. It proves the secret, so let nobody else choose what it is
     * made of.
     *
     * @return HMAC-SHA256 with this secret as its key, for the calling thread
     */
    public Mac mac() {
        return Hmac.keyed(bytes);
    }

    @Override
    public String toString() {
        return "a shared secret";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * What names a channel on both sides: 16 random bytes. Also the shape of the secret from which the proof is made that a
 * second connection belongs to it.
 */
final class Session {
    /** The size on the wire. */
    static final int BYTES = 16;

    private static final int LABEL_DIGITS = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Session() {}

    static byte[] random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    static String name(byte[] session) {
        return HexFormat.of().formatHex(session);
    }

    /** The beginning of the name, for logs: the same on both sides, and too short to be taken for the name. */
    static String label(byte[] session) {
        return name(session).substring(0, LABEL_DIGITS);
    }
}

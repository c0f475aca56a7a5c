// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Codes that prove that their maker knows a key: HMAC-SHA256, which every Java platform has. */
public final class Hmac {
    /** The size of a code. */
    static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private Hmac() {}

    /**
     * Begins a code.
     *
     * @param key of any size above 0
     * @return for one thread at a time
     */
    public static Mac keyed(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("every Java platform has HmacSHA256", impossible);
        }
    }

    /** The code of some bytes, one behind the other. */
    static byte[] of(Mac mac, byte[]... parts) {
        for (byte[] part : parts) {
            mac.update(part);
        }
        return mac.doFinal();
    }

    /** Compares in a time that does not tell where they differ. */
    static boolean isSame(byte[] left, byte[] right) {
        return MessageDigest.isEqual(left, right);
    }
}

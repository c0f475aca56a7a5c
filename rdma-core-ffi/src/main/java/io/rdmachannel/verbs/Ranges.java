// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

/** Checks of numbers that come from users; what is wrong, the range and the remedy are all in the message. */
final class Ranges {
    static final int UNSIGNED_BYTE_MAX = 0xFF;
    static final int UNSIGNED_SHORT_MAX = 0xFFFF;

    private Ranges() {}

    /**
     * Checks that a value lies in a range, both ends included.
     *
     * @throws IllegalArgumentException when it does not
     */
    static int require(String what, int value, int min, int max, String remedy) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "%s is %d, which is not in the range %d to %d: %s".formatted(what, value, min, max, remedy));
        }
        return value;
    }

    /**
     * Checks that a value lies in a range, both ends included.
     *
     * @throws IllegalArgumentException when it does not
     */
    static long require(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "%s is %d, and must be between %d and %d".formatted(what, value, min, max));
        }
        return value;
    }

    static int requirePort(int port) {
        return require(
                "port",
                port,
                1,
                UNSIGNED_BYTE_MAX,
                "ports are counted from 1; take one that the device reports to have");
    }
}

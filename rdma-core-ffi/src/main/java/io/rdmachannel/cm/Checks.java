// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Checks of values that come from users; what is wrong and the range are both in the message. */
final class Checks {
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private Checks() {}

    static long range(String name, long value, long least, long most, String reason) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + ", and must be between " + least + " and " + most + ": " + reason);
        }
        return value;
    }

    static void privateData(byte[] bytes, int most, String message) {
        Objects.requireNonNull(bytes, "privateData");
        if (bytes.length > most) {
            throw new IllegalArgumentException("private data has " + bytes.length + " bytes, and " + message
                    + " can carry " + most + ": send the rest over the connection");
        }
    }

    /** A time limit for librdmacm, rounded up to its milliseconds. */
    static int timeoutMillis(long timeout, TimeUnit unit) {
        Objects.requireNonNull(unit, "unit");
        range("timeout", timeout, 1, Long.MAX_VALUE, "the kernel needs a limit to answer");
        long nanos = unit.toNanos(timeout);
        long millis = nanos / NANOS_PER_MILLI + (nanos % NANOS_PER_MILLI == 0 ? 0 : 1);
        return (int) range("timeout in milliseconds", millis, 1, Integer.MAX_VALUE, "the kernel has 31 bits for it");
    }
}

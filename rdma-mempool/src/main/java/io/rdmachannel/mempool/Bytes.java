// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.Locale;

/** Numbers of bytes: rounding, and as people read them. */
final class Bytes {
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

    private Bytes() {}

    /** Such as {@code 1536 bytes}, {@code 64 KiB} or {@code 1.50 GiB (1610612736 bytes)}. */
    static String text(long bytes) {
        int unit = 0;
        double value = bytes;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        if (value == Math.rint(value)) {
            return (long) value + " " + UNITS[unit];
        }
        return String.format(Locale.ROOT, "%.2f %s (%d bytes)", value, UNITS[unit], bytes);
    }

    static long roundUp(long value, long multiple) {
        return Math.multiplyExact(Math.ceilDiv(value, multiple), multiple);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import java.util.Locale;

/** Amounts of memory, for people. */
final class Quantity {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final int STEP = 1024;

    private Quantity() {}

    /** With the largest unit that gives at least 1, and a decimal where it is not whole. */
    static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= STEP && unit < UNITS.length - 1) {
            value /= STEP;
            unit++;
        }
        String form = value == Math.rint(value) ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, form, value, UNITS[unit]);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

/** Writes sizes as people read them: 64 B, 4 KiB, 1 MiB. */
final class SizeFormat {
    private static final int KIBI = 1 << 10;
    private static final int MEBI = 1 << 20;

    private SizeFormat() {}

    /** Writes a size with its unit. */
    static String bytes(long size) {
        return number(size) + (size >= KIBI && size % KIBI == 0 ? "B" : " B");
    }

    /** Writes a size without its last letter, for where the unit stands already. */
    static String number(long size) {
        if (size >= MEBI && size % MEBI == 0) {
            return size / MEBI + " Mi";
        }
        return size >= KIBI && size % KIBI == 0 ? size / KIBI + " Ki" : String.valueOf(size);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.util.Arrays;

/**
 * What messages are filled with. C fills everything with one value and, with {@code -c}, the first byte of each memory
 * page with zero; its server looks at those bytes at the end, and at no others. Ours keeps those zeros, and gives all
 * other bytes a value that depends on place and round, so that content that is late, shifted or missing is seen.
 */
final class Pattern {
    /** What everything is filled with when nothing is checked. */
    static final byte FILL = 0x7b;

    /** The page sizes of Linux: those of the machine where the other program runs may differ from ours. */
    private static final int[] PAGE_SIZES = {4096, 16_384, 65_536};

    private static final int PERIOD = 251;

    private Pattern() {}

    /** Fills an array with our content of one round. */
    static void fill(byte[] content, int round) {
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (FILL + round * (1 + i % PERIOD));
        }
        clearPageStarts(content, PAGE_SIZES[0]);
    }

    /** Whether this is our content of that round, or that of C's client. */
    static boolean isExpected(byte[] content, int round) {
        byte[] expected = new byte[content.length];
        fill(expected, round);
        return Arrays.equals(content, expected) || isOfC(content, expected);
    }

    /** Says what is wrong with a message, for people. */
    static String explain(byte[] content, int round) {
        if (content[0] != 0) {
            return String.format(
                    "byte 0 is 0x%02x and not 0; does the other side fill messages for checking (-c)?", content[0]);
        }
        byte[] expected = new byte[content.length];
        fill(expected, round);
        int wrong = Arrays.mismatch(content, expected);
        return String.format("byte %d is 0x%02x and not 0x%02x", wrong, content[wrong], expected[wrong]);
    }

    private static boolean isOfC(byte[] content, byte[] scratch) {
        for (int pageSize : PAGE_SIZES) {
            Arrays.fill(scratch, FILL);
            clearPageStarts(scratch, pageSize);
            if (Arrays.equals(content, scratch)) {
                return true;
            }
        }
        return false;
    }

    private static void clearPageStarts(byte[] content, int pageSize) {
        for (int i = 0; i < content.length; i += pageSize) {
            content[i] = 0;
        }
    }
}

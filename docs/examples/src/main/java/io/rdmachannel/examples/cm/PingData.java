// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** The text of an rping: a head with its number, then letters that begin one further with each ping, then a zero. */
final class PingData {
    /** The least length that has room for the head. */
    static final int LENGTH_MIN = 32;

    /** The greatest length that rping takes. */
    static final int LENGTH_MAX = 64 * 1024 - 1;

    private static final char FIRST = 'A';
    private static final int LETTERS = 'z' - 'A' + 1;

    private PingData() {}

    static void fill(MemorySegment memory, int ping) {
        byte[] head = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(head, 0, memory, ValueLayout.JAVA_BYTE, 0, head.length);
        long last = memory.byteSize() - 1;
        for (long offset = head.length; offset < last; offset++) {
            long letter = (ping + offset - head.length) % LETTERS;
            memory.set(ValueLayout.JAVA_BYTE, offset, (byte) (FIRST + letter));
        }
        memory.set(ValueLayout.JAVA_BYTE, last, (byte) 0);
    }

    /** The length of the text in a buffer that holds length bytes, its zero included. */
    static int textLength(MemorySegment memory, int length) {
        for (int offset = 0; offset < length; offset++) {
            if (memory.get(ValueLayout.JAVA_BYTE, offset) == 0) {
                return offset + 1;
            }
        }
        return length;
    }

    static String text(MemorySegment memory, int length) {
        byte[] bytes = memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.US_ASCII).replace("\0", "");
    }
}

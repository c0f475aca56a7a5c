// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import io.rdmachannel.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The message by which an rping client tells the server where to read or write: 16 bytes in network order.
 *
 * @param address where the memory begins
 * @param remoteKey the key to it
 * @param length how many bytes it has
 */
record Advertisement(long address, int remoteKey, int length) {
    /** The length of the message. */
    static final int BYTES = 16;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long KEY_OFFSET = 8;
    private static final long LENGTH_OFFSET = 12;

    static Advertisement of(MemoryRegion region) {
        return new Advertisement(region.address(), region.remoteKey(), Math.toIntExact(region.length()));
    }

    static Advertisement read(MemorySegment message) {
        return new Advertisement(message.get(LONG, 0), message.get(INT, KEY_OFFSET), message.get(INT, LENGTH_OFFSET));
    }

    void write(MemorySegment message) {
        message.set(LONG, 0, address);
        message.set(INT, KEY_OFFSET, remoteKey);
        message.set(INT, LENGTH_OFFSET, length);
    }
}

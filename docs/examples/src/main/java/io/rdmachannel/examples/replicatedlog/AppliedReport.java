// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A follower's message: 16 bytes, little-endian. The last record applied 8, the position up to which the ring is
 * free 8.
 */
final class AppliedReport {
    static final int BYTES = 16;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long INDEX = 0;
    private static final long POSITION = 8;

    private AppliedReport() {}

    static void put(MemorySegment report, long index, long position) {
        report.set(LONG, INDEX, index);
        report.set(LONG, POSITION, position);
    }

    static long index(MemorySegment buffer, long at) {
        return buffer.get(LONG, at + INDEX);
    }

    static long position(MemorySegment buffer, long at) {
        return buffer.get(LONG, at + POSITION);
    }
}

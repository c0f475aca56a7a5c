// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Bytes that follow from a seed, so that both sides know them; lengths are multiples of 8. */
final class Pattern {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final int MIX_SHIFT = 29;

    private Pattern() {}

    static void fill(MemorySegment memory, long offset, long length, long seed) {
        for (long at = 0; at < length; at += Long.BYTES) {
            memory.set(LONG, offset + at, value(seed, at));
        }
    }

    /** Says at which byte of the range the 8 bytes begin that differ, or -1. */
    static long mismatch(MemorySegment memory, long offset, long length, long seed) {
        for (long at = 0; at < length; at += Long.BYTES) {
            if (memory.get(LONG, offset + at) != value(seed, at)) {
                return at;
            }
        }
        return -1;
    }

    private static long value(long seed, long at) {
        long product = (seed * STEP ^ at) * STEP;
        return product ^ product >>> MIX_SHIFT;
    }
}

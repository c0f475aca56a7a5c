// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The layout of the demo's messages: 64 bytes, little-endian. */
final class DemoMessage {
    static final int BYTES = 64;

    /** From client to server, which sends the same bytes back. */
    static final int ECHO = 1;

    /** From client to server: compare the first bytes of your region with the pattern of this seed. */
    static final int CHECK = 2;

    /** From server to client: where they differ, or -1. */
    static final int VERDICT = 3;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long KIND = 0;
    private static final long LENGTH = 4;
    private static final long SEED = 8;
    private static final long MISMATCH = 16;
    /** Of an echo, the rest is the pattern of its seed. */
    private static final long FILLING = 16;

    private DemoMessage() {}

    static void putEcho(MemorySegment message, long seed) {
        put(message, ECHO, BYTES, seed);
        Pattern.fill(message, FILLING, BYTES - FILLING, seed);
    }

    static void putCheck(MemorySegment message, int length, long seed) {
        put(message, CHECK, length, seed);
    }

    static void putVerdict(MemorySegment message, int length, long seed, long mismatch) {
        put(message, VERDICT, length, seed);
        message.set(LONG, MISMATCH, mismatch);
    }

    static boolean isEchoOf(MemorySegment message, long seed) {
        return kind(message) == ECHO
                && seed(message) == seed
                && Pattern.mismatch(message, FILLING, BYTES - FILLING, seed) < 0;
    }

    static int kind(MemorySegment message) {
        return message.get(INT, KIND);
    }

    static int length(MemorySegment message) {
        return message.get(INT, LENGTH);
    }

    static long seed(MemorySegment message) {
        return message.get(LONG, SEED);
    }

    static long mismatch(MemorySegment message) {
        return message.get(LONG, MISMATCH);
    }

    private static void put(MemorySegment message, int kind, int length, long seed) {
        message.set(INT, KIND, kind);
        message.set(INT, LENGTH, length);
        message.set(LONG, SEED, seed);
    }
}

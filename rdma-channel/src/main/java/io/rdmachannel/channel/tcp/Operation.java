// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.protocol.FrameHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The frames that stand for what an adapter would do: a header like that of other frames, whose sequence number counts
 * operations, and 40 bytes more. Little-endian; read and written in place.
 */
final class Operation {
    /** Header and what follows it, without data. */
    static final int BYTES = FrameHeader.BYTES + 40;

    static final int WRITE = 16;
    static final int WRITE_WITH_IMMEDIATE = 17;
    static final int READ = 18;
    static final int COMPARE_AND_SWAP = 19;
    static final int FETCH_AND_ADD = 20;

    /** Answers: the operation of that number is done, and all before it. */
    static final int DONE = 24;

    /** Answers a read: its data follow. */
    static final int READ_DATA = 25;

    /** Answers an atomic operation: the first operand is what was there. */
    static final int ATOMIC_RESULT = 26;

    /** Answers: the operation of that number was refused, and nothing more is answered. */
    static final int REFUSED = 27;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long ADDRESS = FrameHeader.BYTES;
    private static final long KEY = ADDRESS + 8;
    private static final long IMMEDIATE = KEY + 4;
    private static final long FIRST = IMMEDIATE + 4;
    private static final long SECOND = FIRST + 8;
    private static final long LENGTH = SECOND + 8;

    private Operation() {}

    /** Whether a type is one of these. */
    static boolean isOne(int type) {
        return type >= WRITE;
    }

    /** Writes an operation but for immediate and operands, which are 0. */
    static void put(MemorySegment memory, long at, int type, long address, int key, long length) {
        memory.set(LONG, at + ADDRESS, address);
        memory.set(INT, at + KEY, key);
        memory.set(INT, at + IMMEDIATE, 0);
        memory.set(LONG, at + FIRST, 0);
        memory.set(LONG, at + SECOND, 0);
        memory.set(LONG, at + LENGTH, length);
        memory.set(INT, at, type);
    }

    /** Writes the header's part, apart from the type. */
    static void putHeader(MemorySegment memory, long at, int dataBytes, long number) {
        memory.set(INT, at + 4, dataBytes);
        memory.set(LONG, at + 8, number);
        memory.set(LONG, at + 16, 0);
        memory.set(LONG, at + 24, 0);
    }

    static void putImmediate(MemorySegment memory, long at, int immediate) {
        memory.set(INT, at + IMMEDIATE, immediate);
    }

    static void putOperands(MemorySegment memory, long at, long first, long second) {
        memory.set(LONG, at + FIRST, first);
        memory.set(LONG, at + SECOND, second);
    }

    static long address(MemorySegment memory) {
        return memory.get(LONG, ADDRESS);
    }

    static int key(MemorySegment memory) {
        return memory.get(INT, KEY);
    }

    static int immediate(MemorySegment memory) {
        return memory.get(INT, IMMEDIATE);
    }

    static long first(MemorySegment memory) {
        return memory.get(LONG, FIRST);
    }

    static long second(MemorySegment memory) {
        return memory.get(LONG, SECOND);
    }

    static long length(MemorySegment memory) {
        return memory.get(LONG, LENGTH);
    }
}

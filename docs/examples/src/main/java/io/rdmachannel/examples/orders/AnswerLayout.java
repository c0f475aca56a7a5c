// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The answer to an order: 24 bytes, little-endian. Client 4, verdict 4, sequence 8, number given by the gateway 8.
 */
final class AnswerLayout {
    static final int BYTES = 24;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long CLIENT = 0;
    private static final long VERDICT = 4;
    private static final long SEQUENCE = 8;
    private static final long NUMBER = 16;
    private static final Verdict[] VERDICTS = Verdict.values();

    private AnswerLayout() {}

    static void put(MemorySegment answer, int client, long sequence, Verdict verdict, long number) {
        answer.set(INT, CLIENT, client);
        answer.set(INT, VERDICT, verdict.ordinal());
        answer.set(LONG, SEQUENCE, sequence);
        answer.set(LONG, NUMBER, number);
    }

    static int client(MemorySegment buffer, long at) {
        return buffer.get(INT, at + CLIENT);
    }

    static Verdict verdict(MemorySegment buffer, long at) {
        return VERDICTS[buffer.get(INT, at + VERDICT)];
    }

    static long sequence(MemorySegment buffer, long at) {
        return buffer.get(LONG, at + SEQUENCE);
    }

    static long number(MemorySegment buffer, long at) {
        return buffer.get(LONG, at + NUMBER);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * An order: 32 bytes, little-endian, read and written in place. Client 4, side 4, sequence 8, price 8, quantity 8.
 */
final class OrderLayout {
    static final int BYTES = 32;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long CLIENT = 0;
    private static final long SIDE = 4;
    private static final long SEQUENCE = 8;
    private static final long PRICE = 16;
    private static final long QUANTITY = 24;

    private OrderLayout() {}

    static void put(MemorySegment order, int client, long sequence, Side side, long price, long quantity) {
        order.set(INT, CLIENT, client);
        order.set(INT, SIDE, side.number());
        order.set(LONG, SEQUENCE, sequence);
        order.set(LONG, PRICE, price);
        order.set(LONG, QUANTITY, quantity);
    }

    static int client(MemorySegment buffer, long at) {
        return buffer.get(INT, at + CLIENT);
    }

    static int side(MemorySegment buffer, long at) {
        return buffer.get(INT, at + SIDE);
    }

    static long sequence(MemorySegment buffer, long at) {
        return buffer.get(LONG, at + SEQUENCE);
    }

    static long price(MemorySegment buffer, long at) {
        return buffer.get(LONG, at + PRICE);
    }

    static long quantity(MemorySegment buffer, long at) {
        return buffer.get(LONG, at + QUANTITY);
    }
}

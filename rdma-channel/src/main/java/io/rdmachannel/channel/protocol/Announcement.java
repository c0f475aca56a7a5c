// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

import java.lang.foreign.MemorySegment;

/** The payload that says where a long message lies: 24 bytes, little-endian. Read and written in place. */
public final class Announcement {
    /** The size of the payload. */
    public static final int BYTES = 24;

    private static final long ADDRESS = 0;
    private static final long LENGTH = 8;
    private static final long KEY = 16;

    private Announcement() {}

    /**
     * Writes an announcement.
     *
     * @param memory where it begins
     * @param address of the message in the sender's memory
     * @param length of the message
     * @param key that permits to read it
     */
    public static void put(MemorySegment memory, long address, long length, int key) {
        memory.set(FrameHeader.LONG, ADDRESS, address);
        memory.set(FrameHeader.LONG, LENGTH, length);
        memory.set(FrameHeader.INT, KEY, key);
        memory.set(FrameHeader.INT, KEY + Integer.BYTES, 0);
    }

    /**
     * Reads the address.
     *
     * @param memory where the announcement begins
     * @return the address in the sender's memory
     */
    public static long address(MemorySegment memory) {
        return memory.get(FrameHeader.LONG, ADDRESS);
    }

    /**
     * Reads the length.
     *
     * @param memory where the announcement begins
     * @return bytes, as the peer says
     */
    public static long length(MemorySegment memory) {
        return memory.get(FrameHeader.LONG, LENGTH);
    }

    /**
     * Reads the key.
     *
     * @param memory where the announcement begins
     * @return the key that permits to read the message
     */
    public static int key(MemorySegment memory) {
        return memory.get(FrameHeader.INT, KEY);
    }
}

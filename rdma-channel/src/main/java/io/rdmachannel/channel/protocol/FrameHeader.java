// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

import io.rdmachannel.ffi.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The header of a frame on the data path: 32 bytes in front of the payload, little-endian. Read and written in place,
 * without an object.
 */
public final class FrameHeader {
    /** The size of the header. */
    public static final int BYTES = 32;

    /** A whole message: the payload. */
    public static final int MESSAGE = 1;

    /** A message that the receiver fetches: the payload says where it lies, see {@link Announcement}. */
    public static final int ANNOUNCEMENT = 2;

    /** Nothing but the header: acknowledgement and credit. */
    public static final int ACKNOWLEDGEMENT = 3;

    /** A region is exposed: the payload is a {@link RegionNotice}. */
    public static final int REGION_EXPOSED = 4;

    /** A region is revoked: the payload is a {@link RegionNotice}. */
    public static final int REGION_REVOKED = 5;

    /** The sender has sent its last message. */
    public static final int END = 6;

    /** After a recovery: the sender's regions have been told again, and what was not delivered follows. */
    public static final int RESUMED = 7;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final boolean IS_LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private static final long TYPE = 0;
    private static final long LENGTH = 4;
    private static final long SEQUENCE = 8;
    private static final long ACKNOWLEDGED = 16;
    private static final long GRANTED = 24;

    private FrameHeader() {}

    /**
     * Writes type, length and sequence number; {@link #putState} must follow.
     *
     * @param memory where the header begins
     * @param type one of the constants
     * @param length the payload's bytes
     * @param sequence the message's number, from 1; of other frames the next message's
     */
    public static void put(MemorySegment memory, int type, int length, long sequence) {
        memory.set(INT, TYPE, type);
        memory.set(INT, LENGTH, length);
        memory.set(LONG, SEQUENCE, sequence);
    }

    /**
     * Writes what the sender has to say of the other direction.
     *
     * @param memory where the header begins
     * @param acknowledged how many messages of the peer have been handled
     * @param granted how many receives have been posted since the beginning
     */
    public static void putState(MemorySegment memory, long acknowledged, long granted) {
        memory.set(LONG, ACKNOWLEDGED, acknowledged);
        memory.set(LONG, GRANTED, granted);
    }

    /**
     * Writes a whole header into native memory whose room the caller answers for.
     *
     * @param address where the header begins
     * @param type one of the constants
     * @param length the payload's bytes
     * @param sequence the message's number
     * @param acknowledged how many messages of the peer have been handled
     * @param granted how many receives have been posted since the beginning
     */
    public static void put(long address, int type, int length, long sequence, long acknowledged, long granted) {
        NativeMemory.putLong(address + TYPE, little((long) length << Integer.SIZE | type));
        NativeMemory.putLong(address + SEQUENCE, little(sequence));
        putState(address, acknowledged, granted);
    }

    /**
     * Writes as {@link #putState(MemorySegment, long, long)}, into native memory whose room the caller answers for.
     *
     * @param address where the header begins
     * @param acknowledged how many messages of the peer have been handled
     * @param granted how many receives have been posted since the beginning
     */
    public static void putState(long address, long acknowledged, long granted) {
        NativeMemory.putLong(address + ACKNOWLEDGED, little(acknowledged));
        NativeMemory.putLong(address + GRANTED, little(granted));
    }

    /**
     * Reads the type.
     *
     * @param memory where the header begins
     * @return one of the constants, if the peer keeps to the protocol
     */
    public static int type(MemorySegment memory) {
        return memory.get(INT, TYPE);
    }

    /**
     * Reads the payload's length.
     *
     * @param memory where the header begins
     * @return bytes, as the peer says
     */
    public static int length(MemorySegment memory) {
        return memory.get(INT, LENGTH);
    }

    /**
     * Reads the sequence number.
     *
     * @param memory where the header begins
     * @return the number
     */
    public static long sequence(MemorySegment memory) {
        return memory.get(LONG, SEQUENCE);
    }

    /**
     * Reads the acknowledgement.
     *
     * @param memory where the header begins
     * @return how many messages the peer has handled
     */
    public static long acknowledged(MemorySegment memory) {
        return memory.get(LONG, ACKNOWLEDGED);
    }

    /**
     * Reads the credit.
     *
     * @param memory where the header begins
     * @return how many receives the peer has posted since the beginning
     */
    public static long granted(MemorySegment memory) {
        return memory.get(LONG, GRANTED);
    }

    /**
     * Reads type and length from native memory that the caller answers for.
     *
     * @param address where the header begins
     * @return the type in the lower half, the length in the upper one
     */
    public static long typeAndLength(long address) {
        return little(NativeMemory.getLong(address + TYPE));
    }

    /**
     * Reads the sequence number from native memory that the caller answers for.
     *
     * @param address where the header begins
     * @return as {@link #sequence(MemorySegment)}
     */
    public static long sequence(long address) {
        return little(NativeMemory.getLong(address + SEQUENCE));
    }

    /**
     * Reads the acknowledgement from native memory that the caller answers for.
     *
     * @param address where the header begins
     * @return as {@link #acknowledged(MemorySegment)}
     */
    public static long acknowledged(long address) {
        return little(NativeMemory.getLong(address + ACKNOWLEDGED));
    }

    /**
     * Reads the credit from native memory that the caller answers for.
     *
     * @param address where the header begins
     * @return as {@link #granted(MemorySegment)}
     */
    public static long granted(long address) {
        return little(NativeMemory.getLong(address + GRANTED));
    }

    private static long little(long value) {
        return IS_LITTLE ? value : Long.reverseBytes(value);
    }
}

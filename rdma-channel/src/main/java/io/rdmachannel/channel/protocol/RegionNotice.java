// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

import io.rdmachannel.channel.RegionRight;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;

/**
 * The payload that tells of a region: address, length, key and rights, 24 bytes, little-endian, then the name in UTF-8.
 *
 * @param name what the owner calls it
 * @param address where it lies
 * @param length bytes
 * @param key that permits to use it
 * @param rights what the other side may do
 */
public record RegionNotice(String name, long address, long length, int key, Set<RegionRight> rights) {
    /** The longest name in UTF-8. */
    public static final int NAME_MAX_BYTES = 64;

    /** The longest notice. */
    public static final int MAX_BYTES = 24 + NAME_MAX_BYTES;

    private static final long LENGTH = 8;
    private static final long KEY = 16;
    private static final long RIGHTS = 20;
    private static final int NAME = 24;

    /** Without the key, which is a capability. */
    @Override
    public String toString() {
        return "notice of region \"" + name + "\" of " + length + " bytes for " + rights;
    }

    /**
     * Writes the notice.
     *
     * @param memory where it begins, with room for {@link #MAX_BYTES}
     * @return how many bytes it takes
     */
    public int write(MemorySegment memory) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        int bits = rights.stream().mapToInt(right -> 1 << right.ordinal()).sum();
        memory.set(FrameHeader.LONG, 0, address);
        memory.set(FrameHeader.LONG, LENGTH, length);
        memory.set(FrameHeader.INT, KEY, key);
        memory.set(FrameHeader.INT, RIGHTS, bits);
        MemorySegment.copy(text, 0, memory, ValueLayout.JAVA_BYTE, NAME, text.length);
        return NAME + text.length;
    }

    /**
     * Reads a notice.
     *
     * @param memory where it begins
     * @param bytes how many there are
     * @return the notice
     * @throws ProtocolException if it is none
     */
    public static RegionNotice read(MemorySegment memory, long bytes) {
        if (bytes <= NAME || bytes > MAX_BYTES) {
            throw new ProtocolException(
                    "a region notice of " + bytes + " bytes; " + (NAME + 1) + " to " + MAX_BYTES + " are possible");
        }
        byte[] text = new byte[(int) bytes - NAME];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, NAME, text, 0, text.length);
        long length = memory.get(FrameHeader.LONG, LENGTH);
        int bits = memory.get(FrameHeader.INT, RIGHTS);
        Set<RegionRight> rights = EnumSet.noneOf(RegionRight.class);
        for (RegionRight right : RegionRight.values()) {
            if ((bits >> right.ordinal() & 1) != 0) {
                rights.add(right);
            }
        }
        if (length < 1 || rights.isEmpty()) {
            throw new ProtocolException("a region of " + length + " bytes with rights " + rights);
        }
        return new RegionNotice(
                new String(text, StandardCharsets.UTF_8),
                memory.get(FrameHeader.LONG, 0),
                length,
                memory.get(FrameHeader.INT, KEY),
                rights);
    }
}

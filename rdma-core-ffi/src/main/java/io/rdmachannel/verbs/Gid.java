// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Objects;

/**
 * A global identifier: the 16 bytes by which a port is found, written like an IPv6 address. On RoCE it <em>is</em> the
 * IP address of the network interface, an IPv4 address in its mapped form. See {@code ibv_query_gid(3)}.
 *
 * <p>An immutable value: any thread may use it, and there is nothing to close.
 */
public final class Gid {
    /** How many bytes a GID has. */
    public static final int BYTES = 16;

    /** Network byte order, at any address: in C it is an array of bytes. */
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final HexFormat HEX = HexFormat.of();
    private static final int HEX_DIGITS = 2 * BYTES;
    private static final long MAPPED_PREFIX = 0xFFFFL;
    /** Groups of 16 bits in the text. */
    private static final int GROUPS = 8;

    private final long high;
    private final long low;

    private Gid(long high, long low) {
        this.high = high;
        this.low = low;
    }

    /**
     * Makes a GID of its bytes.
     *
     * @param bytes 16 bytes in network order; copied
     * @return the GID
     * @throws IllegalArgumentException for another number of bytes
     */
    public static Gid of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException(
                    "a GID has %d bytes, not %d: give all of them, leading zeros too".formatted(BYTES, bytes.length));
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /**
     * Makes the GID that stands for an IP address on RoCE.
     *
     * @param address an IPv4 address, which is mapped, or an IPv6 address, of which a scope is dropped
     * @return the GID
     */
    public static Gid ofInetAddress(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == BYTES ? of(bytes) : new Gid(0, MAPPED_PREFIX << Integer.SIZE | toUnsignedInt(bytes));
    }

    /**
     * Reads a GID from text: 32 hexadecimal digits, as {@code ibv_rc_pingpong} exchanges them, or the IPv6 form that
     * {@code ibv_devinfo} and sysfs show, abbreviated or not. No name service is asked.
     *
     * @param text the text, without scope and brackets; upper or lower case
     * @return the GID
     * @throws IllegalArgumentException for any other text
     */
    public static Gid parse(String text) {
        try {
            return text.indexOf(':') < 0 ? parseWireFormat(text) : parseAddress(text);
        } catch (IllegalArgumentException cause) {
            throw new IllegalArgumentException(
                    "\"%s\" is not a GID: write 32 hexadecimal digits, or an IPv6 address without scope such as fe80::1"
                            .formatted(text),
                    cause);
        }
    }

    private static Gid parseWireFormat(String text) {
        if (text.length() != HEX_DIGITS) {
            throw new IllegalArgumentException(text.length() + " characters");
        }
        return of(HEX.parseHex(text));
    }

    private static Gid parseAddress(String text) {
        if (text.indexOf('%') >= 0 || text.indexOf('[') >= 0) {
            throw new IllegalArgumentException("a scope or brackets");
        }
        return ofInetAddress(Inet6Address.ofLiteral(text));
    }

    /** Reads a GID out of a {@code union ibv_gid}. */
    static Gid from(MemorySegment gid) {
        return new Gid(gid.get(LONG, ibv_gid.raw$offset()), gid.get(LONG, ibv_gid.raw$offset() + Long.BYTES));
    }

    /** Writes this GID into a {@code union ibv_gid}. */
    void writeTo(MemorySegment gid) {
        gid.set(LONG, ibv_gid.raw$offset(), high);
        gid.set(LONG, ibv_gid.raw$offset() + Long.BYTES, low);
    }

    /**
     * Gives the bytes.
     *
     * @return 16 bytes in network order, a new array
     */
    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }

    /**
     * Gives the form that {@code ibv_rc_pingpong} and its kin exchange.
     *
     * @return 32 lower-case hexadecimal digits
     */
    public String wireFormat() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }

    /**
     * Gives the IP address that this GID is on RoCE.
     *
     * @return an IPv4 address when this GID is a mapped one, else an IPv6 address without scope
     */
    public InetAddress toInetAddress() {
        try {
            return InetAddress.getByAddress(bytes());
        } catch (UnknownHostException impossible) {
            throw new AssertionError("16 bytes are an address", impossible);
        }
    }

    /**
     * Says whether the GID is good on one link only.
     *
     * @return true within fe80::/10
     */
    public boolean isLinkLocal() {
        return high >>> 54 == 0xFE80 >>> 6;
    }

    /**
     * Says whether the GID stands for an IPv4 address.
     *
     * @return true within ::ffff:0:0/96
     */
    public boolean isIpv4Mapped() {
        return high == 0 && low >>> Integer.SIZE == MAPPED_PREFIX;
    }

    /**
     * Says whether the GID is of a multicast group.
     *
     * @return true within ff00::/8
     */
    public boolean isMulticast() {
        return high >>> 56 == 0xFF;
    }

    /**
     * Says whether all bytes are zero, as in an empty entry of a GID table.
     *
     * @return true for ::
     */
    public boolean isZero() {
        return high == 0 && low == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Gid gid && high == gid.high && low == gid.low;
    }

    @Override
    public int hashCode() {
        return Objects.hash(high, low);
    }

    /**
     * Gives the IPv6 text.
     *
     * @return the form of RFC 5952: lower case, the longest run of zeros left out, IPv4 dotted when mapped
     */
    @Override
    public String toString() {
        if (isIpv4Mapped()) {
            return "::ffff:" + toInetAddress().getHostAddress();
        }
        int skipFrom = 0;
        int skipCount = 1;
        for (int start = 0; start < GROUPS; start++) {
            int count = zerosFrom(start);
            if (count > skipCount) {
                skipFrom = start;
                skipCount = count;
            }
        }
        return skipCount == 1 ? groups(0, GROUPS) : groups(0, skipFrom) + "::" + groups(skipFrom + skipCount, GROUPS);
    }

    private int group(int index) {
        long half = index < GROUPS / 2 ? high : low;
        return (int) (half >>> (3 - index % (GROUPS / 2)) * Short.SIZE) & 0xFFFF;
    }

    private int zerosFrom(int start) {
        int end = start;
        while (end < GROUPS && group(end) == 0) {
            end++;
        }
        return end - start;
    }

    private String groups(int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int index = from; index < to; index++) {
            text.append(index == from ? "" : ":").append(Integer.toHexString(group(index)));
        }
        return text.toString();
    }

    private static long toUnsignedInt(byte[] bytes) {
        return Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.util.Arrays;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * The largest payload of one packet. Both ends of a connection must use the same, not above the active MTU of either
 * port: Soft-RoCE accepts a larger one, and then hangs. The natural order is that of the sizes. See
 * {@code ibv_query_port(3)} and {@code ibv_modify_qp(3)}.
 */
public enum PathMtu {
    /** A value that this version does not know, of 0 bytes; some drivers report it for a port that is down. */
    UNKNOWN(RawValues::none, 0),
    /** 256 bytes. */
    MTU_256(ibverbs_constants::IBV_MTU_256, 256),
    /** 512 bytes. */
    MTU_512(ibverbs_constants::IBV_MTU_512, 512),
    /** 1024 bytes: what an Ethernet of 1500 bytes has room for. */
    MTU_1024(ibverbs_constants::IBV_MTU_1024, 1024),
    /** 2048 bytes. */
    MTU_2048(ibverbs_constants::IBV_MTU_2048, 2048),
    /** 4096 bytes: on Ethernet it takes jumbo frames. */
    MTU_4096(ibverbs_constants::IBV_MTU_4096, 4096);

    private final IntSupplier raw;
    private final int bytes;

    PathMtu(IntSupplier raw, int bytes) {
        this.raw = raw;
        this.bytes = bytes;
    }

    /** Apart, so that naming a constant neither loads native layouts nor needs native access. */
    private static final class Numbers {
        static final RawValues<PathMtu> TABLE = new RawValues<>(values(), constant -> constant.raw, UNKNOWN);
    }

    /**
     * Tells the size.
     *
     * @return bytes of payload in one packet; 0 for {@link #UNKNOWN}
     */
    public int bytes() {
        return bytes;
    }

    /**
     * Finds the constant of a size.
     *
     * @param bytes 256, 512, 1024, 2048 or 4096
     * @return the constant, never {@link #UNKNOWN}
     * @throws IllegalArgumentException for any other size; {@link #largestNotAbove(int)} rounds down
     */
    public static PathMtu ofBytes(int bytes) {
        return Arrays.stream(values())
                .filter(mtu -> mtu != UNKNOWN && mtu.bytes == bytes)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "path MTU is %d bytes, which is none of %s: take one of them".formatted(bytes, sizes())));
    }

    /**
     * Finds the largest constant that fits into a size, such as what an Ethernet frame has room for.
     *
     * @param bytes at least 256
     * @return the constant, never {@link #UNKNOWN}
     * @throws IllegalArgumentException when not even the smallest fits
     */
    public static PathMtu largestNotAbove(int bytes) {
        PathMtu largest = UNKNOWN;
        for (PathMtu mtu : values()) {
            largest = mtu.bytes <= bytes ? mtu : largest;
        }
        if (largest == UNKNOWN) {
            throw new IllegalArgumentException("%d bytes are less than the smallest path MTU, %d: raise the link's MTU"
                    .formatted(bytes, MTU_256.bytes));
        }
        return largest;
    }

    /**
     * Gives the smaller of two, as both ends of a connection have to use.
     *
     * @param other the other one
     * @return this or the other; {@link #UNKNOWN} is smaller than all
     */
    public PathMtu min(PathMtu other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /**
     * The number for C.
     *
     * @throws IllegalArgumentException for {@link #UNKNOWN}, which cannot be asked for
     */
    int raw() {
        if (this == UNKNOWN) {
            throw new IllegalArgumentException("the path MTU is not known: take one of " + sizes() + " bytes");
        }
        return Numbers.TABLE.raw(this);
    }

    static PathMtu of(int raw) {
        return Numbers.TABLE.of(raw);
    }

    private static String sizes() {
        return Arrays.stream(values())
                .filter(mtu -> mtu != UNKNOWN)
                .map(mtu -> String.valueOf(mtu.bytes))
                .collect(Collectors.joining(", "));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

/**
 * The sizes that buffers come in. Up to 256 bytes they are the multiples of 64; above, four to each doubling: 320, 384,
 * 448, 512, 640 and so on. So a buffer is less than 64 bytes larger than asked, or less than 20 % of it is unused; and
 * every payload begins on a boundary of 64 bytes.
 *
 * <p>In memory each buffer is preceded by the headroom, rounded up to 64 bytes: their sum is the stride.
 */
final class SizeClasses {
    static final int ALIGNMENT = 64;
    private static final int LINEAR_CLASSES = 4;
    private static final int LINEAR_MAX = ALIGNMENT * LINEAR_CLASSES;
    private static final int LINEAR_MAX_EXPONENT = 8;

    private final int count;
    private final long largest;
    private final long headroomStride;

    /**
     * Lays out the classes that fit into a slab.
     *
     * @param slabBytes the size of a slab
     * @param headroomBytes bytes in front of each payload
     */
    SizeClasses(long slabBytes, int headroomBytes) {
        this.headroomStride = Bytes.roundUp(headroomBytes, ALIGNMENT);
        int fitting = 0;
        while (size(fitting) + headroomStride <= slabBytes) {
            fitting++;
        }
        if (fitting == 0) {
            throw new IllegalArgumentException(
                    "headroom of " + headroomBytes + " bytes leaves no room for a buffer in a" + " slab of "
                            + Bytes.text(slabBytes) + "; make slabs larger or the headroom smaller");
        }
        this.count = fitting;
        this.largest = size(fitting - 1);
    }

    int count() {
        return count;
    }

    /** The largest payload that is carved from slabs; what is larger gets memory of its own. */
    long largest() {
        return largest;
    }

    /** Bytes from the beginning of one buffer's headroom to the next one's. */
    long stride(int index) {
        return headroomStride + size(index);
    }

    long headroomStride() {
        return headroomStride;
    }

    /**
     * Finds the smallest class for a payload.
     *
     * @param bytes the payload, 0 or more
     * @return the class, or -1 for an oversize one
     */
    int indexOf(long bytes) {
        return bytes > largest ? -1 : smallestHolding(bytes);
    }

    static int smallestHolding(long bytes) {
        if (bytes <= LINEAR_MAX) {
            return bytes == 0 ? 0 : (int) ((bytes - 1) >> 6);
        }
        long last = bytes - 1;
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(last);
        int quarter = (int) (last >> (exponent - 2)) & 3;
        return LINEAR_CLASSES + (exponent - LINEAR_MAX_EXPONENT) * 4 + quarter;
    }

    static long size(int index) {
        if (index < LINEAR_CLASSES) {
            return (long) ALIGNMENT * (index + 1);
        }
        int step = index - LINEAR_CLASSES;
        int exponent = LINEAR_MAX_EXPONENT + step / 4;
        return (1L << exponent) + ((step % 4 + 1L) << (exponent - 2));
    }
}

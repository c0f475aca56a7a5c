// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

/**
 * How many units a span of a size class has, and how many buffers. The rest at a span's end is at most an eighth of it,
 * unless the slab is too small for a span that is so well filled; then it is the best that fits.
 */
record SpanShape(int classIndex, int unitCount, int bufferCount, long stride, long headroomStride) {
    private static final int MAX_REST_SHARE = 8;
    private static final int MAX_BUFFERS_TRIED = 64;

    static SpanShape of(SizeClasses classes, int index, long slabBytes) {
        long stride = classes.stride(index);
        int best = 0;
        double bestRest = 1;
        for (int units = (int) Math.ceilDiv(stride, PoolConfig.UNIT_BYTES); ; units++) {
            long bytes = units * PoolConfig.UNIT_BYTES;
            int buffers = (int) (bytes / stride);
            boolean tooLarge = bytes > slabBytes || best != 0 && buffers > MAX_BUFFERS_TRIED;
            if (tooLarge) {
                break;
            }
            double rest = (double) (bytes - buffers * stride) / bytes;
            if (rest < bestRest) {
                bestRest = rest;
                best = units;
            }
            if (rest * MAX_REST_SHARE <= 1) {
                break;
            }
        }
        int buffers = (int) (best * PoolConfig.UNIT_BYTES / stride);
        return new SpanShape(index, best, buffers, stride, classes.headroomStride());
    }

    static SpanShape oversize(SizeClasses classes, long slabBytes) {
        int units = (int) (slabBytes / PoolConfig.UNIT_BYTES);
        return new SpanShape(-1, units, 1, slabBytes, classes.headroomStride());
    }
}

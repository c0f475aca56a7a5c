// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

/**
 * How much went in what time.
 *
 * @param mebibytesPerSecond payload in units of 2 to the 20 bytes, which perftest calls MB/sec
 * @param gigabitsPerSecond payload in units of 10 to the 9 bits
 * @param millionMessagesPerSecond operations in units of 10 to the 6, which perftest calls Mpps
 */
public record Bandwidth(double mebibytesPerSecond, double gigabitsPerSecond, double millionMessagesPerSecond) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MEBIBYTE = 1 << 20;
    private static final double GIGA = 1e9;
    private static final double MILLION = 1e6;

    /**
     * Computes it.
     *
     * @param operations how many ended
     * @param size bytes of each
     * @param nanos in what time
     * @return the bandwidth
     */
    public static Bandwidth of(long operations, int size, long nanos) {
        double perSecond = operations * NANOS_PER_SECOND / Math.max(1, nanos);
        double bytes = perSecond * size;
        return new Bandwidth(bytes / MEBIBYTE, bytes * Byte.SIZE / GIGA, perSecond / MILLION);
    }
}

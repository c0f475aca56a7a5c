// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

/**
 * When operations of a fixed rate are to begin. The times come from the beginning and not from each other, so that
 * rounding does not add up, and an operation that is late delays none after it.
 *
 * @param begin when the first one begins, in nanoseconds of some clock
 * @param perSecond operations a second, above 0
 */
record RateSchedule(long begin, double perSecond) {
    private static final double NANOS_PER_SECOND = 1e9;

    RateSchedule {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("a rate of " + perSecond + " a second; it must be above 0");
        }
    }

    /** When the operation of this number, from 0, is to begin. */
    long intended(long number) {
        return begin + Math.round(number * (NANOS_PER_SECOND / perSecond));
    }
}

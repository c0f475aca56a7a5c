// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

/**
 * Positions in a ring: bytes since the beginning of the log, which never go back. A record never wraps around: one
 * that does not fit before the end of the ring begins at the next turn. Both sides reckon so, and nothing has to be
 * told.
 */
final class RingPosition {
    /** A record takes at most this part of a ring, so that it fits behind any rest that is skipped. */
    static final int RECORD_SHARE = 2;

    private RingPosition() {}

    /** Where a record begins that comes after a position. */
    static long begin(long position, long bytes, long capacity) {
        long rest = capacity - position % capacity;
        return bytes <= rest ? position : position + rest;
    }
}

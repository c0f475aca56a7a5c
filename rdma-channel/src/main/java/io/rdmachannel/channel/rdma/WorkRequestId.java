// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

/**
 * The 64 bits that a completion brings back: one bit says whether it was a receive, 15 bits are the link's tag, and 48
 * bits are the post's number, or the receive's slot. The tag tells completions of a link from those that a queue pair
 * of the same number has left behind.
 */
final class WorkRequestId {
    /** How many tags there are. */
    static final int TAGS = 1 << 15;

    /** The number of the last work of a queue pair, which is no post of the channel's. */
    static final long MARKER = 0;

    private static final int NUMBER_BITS = 48;
    private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;

    private WorkRequestId() {}

    static long ofPost(int tag, long number) {
        return (long) tag << NUMBER_BITS | number & NUMBER_MASK;
    }

    static long ofReceive(int tag, int slot) {
        return Long.MIN_VALUE | ofPost(tag, slot);
    }

    static boolean isReceive(long id) {
        return id < 0;
    }

    static int tag(long id) {
        return (int) (id >>> NUMBER_BITS) & TAGS - 1;
    }

    static long number(long id) {
        return id & NUMBER_MASK;
    }
}

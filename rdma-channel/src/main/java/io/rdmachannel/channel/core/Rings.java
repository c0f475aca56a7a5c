// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

/** How large rings are. */
final class Rings {
    private Rings() {}

    /** The power of two that holds so many. */
    static int size(int capacity) {
        return Integer.highestOneBit(Math.max(1, capacity) * 2 - 1);
    }
}

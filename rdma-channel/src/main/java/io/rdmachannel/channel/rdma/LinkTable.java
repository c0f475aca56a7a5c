// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Finds a link by the number of its queue pair: open addressing over plain arrays, at most half full. Looking up
 * allocates nothing. For one thread.
 */
final class LinkTable {
    private static final int FIRST_LENGTH = 16;
    private static final int SCATTER = 0x9E37_79B9;

    private int[] numbers = new int[FIRST_LENGTH];
    private RdmaLink[] links = new RdmaLink[FIRST_LENGTH];
    private int count;

    /** Null when there is none. */
    RdmaLink get(int number) {
        return links[indexOf(number)];
    }

    void put(int number, RdmaLink link) {
        if (2 * (count + 1) > links.length) {
            rebuild(2 * links.length, null);
        }
        int index = indexOf(number);
        count += links[index] == null ? 1 : 0;
        numbers[index] = number;
        links[index] = Objects.requireNonNull(link, "link");
    }

    void remove(RdmaLink link) {
        rebuild(links.length, link);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** A copy, to be walked over while links come and go. */
    List<RdmaLink> all() {
        List<RdmaLink> all = new ArrayList<>(count);
        for (RdmaLink link : links) {
            if (link != null) {
                all.add(link);
            }
        }
        return all;
    }

    private int indexOf(int number) {
        int mask = links.length - 1;
        int index = (number * SCATTER >>> Short.SIZE) & mask;
        while (links[index] != null && numbers[index] != number) {
            index = index + 1 & mask;
        }
        return index;
    }

    private void rebuild(int length, RdmaLink without) {
        int[] oldNumbers = numbers;
        RdmaLink[] oldLinks = links;
        numbers = new int[length];
        links = new RdmaLink[length];
        count = 0;
        for (int old = 0; old < oldLinks.length; old++) {
            if (oldLinks[old] != null && oldLinks[old] != without) {
                put(oldNumbers[old], oldLinks[old]);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.RegionRight;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Memory that the peer may use, by key: what an adapter does with its table of regions. A key holds a place in the
 * table and a number that differs each time the place is used, so a key that is withdrawn does not open what comes
 * after it.
 */
final class KeyTable {
    private static final int PLACE_BITS = 16;
    private static final int PLACES_MAX = 1 << PLACE_BITS;

    private MemorySegment[] memory = new MemorySegment[64];
    private int[] rights = new int[64];
    private int[] keys = new int[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;

    /** Enters memory; returns its key. */
    int add(MemorySegment segment, Set<RegionRight> permitted) {
        int bits = 0;
        for (RegionRight right : permitted) {
            bits |= bit(right);
        }
        return add(segment, bits);
    }

    /** Enters memory that may be read only; returns its key. */
    int addReadable(MemorySegment segment) {
        return add(segment, bit(RegionRight.READ));
    }

    void remove(int key) {
        int place = key & PLACES_MAX - 1;
        if (place < used && memory[place] != null && keys[place] == key) {
            memory[place] = null;
            free[freeCount++] = place;
        }
    }

    /**
     * Finds memory.
     *
     * @return the memory, or null when key, right or bounds do not permit it
     */
    MemorySegment find(int key, RegionRight right, long address, long length) {
        int place = key & PLACES_MAX - 1;
        if (place >= used || memory[place] == null || keys[place] != key || (rights[place] & bit(right)) == 0) {
            return null;
        }
        MemorySegment segment = memory[place];
        long offset = address - segment.address();
        boolean inside = offset >= 0 && length >= 0 && length <= segment.byteSize() - offset;
        return inside && segment.scope().isAlive() ? segment : null;
    }

    private int add(MemorySegment segment, int bits) {
        int place = freeCount > 0 ? free[--freeCount] : next();
        int number = ThreadLocalRandom.current().nextInt();
        memory[place] = segment;
        rights[place] = bits;
        keys[place] = place | number << PLACE_BITS;
        return keys[place];
    }

    private int next() {
        if (used == PLACES_MAX) {
            throw new IllegalStateException("65536 regions and long messages are exposed already; close some");
        }
        if (used == memory.length) {
            int longer = memory.length * 2;
            memory = Arrays.copyOf(memory, longer);
            rights = Arrays.copyOf(rights, longer);
            keys = Arrays.copyOf(keys, longer);
            free = Arrays.copyOf(free, longer);
        }
        return used++;
    }

    private static int bit(RegionRight right) {
        return 1 << right.ordinal();
    }
}

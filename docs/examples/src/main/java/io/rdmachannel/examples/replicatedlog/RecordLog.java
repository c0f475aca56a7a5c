// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

/** The leader's own records, from 1: those that some follower may still need. */
final class RecordLog {
    private final byte[][] records;
    private final int mask;
    private long last;

    RecordLog(int capacity) {
        int size = Integer.highestOneBit(capacity * 2 - 1);
        this.records = new byte[size][];
        this.mask = size - 1;
    }

    int capacity() {
        return records.length;
    }

    long append(byte[] data) {
        last++;
        records[(int) last & mask] = data;
        return last;
    }

    byte[] get(long index) {
        return records[(int) index & mask];
    }

    long last() {
        return last;
    }
}

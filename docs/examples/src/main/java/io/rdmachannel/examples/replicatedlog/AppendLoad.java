// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import io.rdmachannel.examples.support.Latencies;
import java.util.Locale;
import java.util.SplittableRandom;

/** Appends records as fast as they are committed, with so many uncommitted ones at a time, and takes the times. */
final class AppendLoad {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Leader leader;
    private final int records;
    private final int bytes;
    private final int window;
    private final long[] appended;
    private final int mask;
    private final Latencies latencies = new Latencies();
    private long nanos;

    AppendLoad(Leader leader, int records, int bytes, int window) {
        this.leader = leader;
        this.records = records;
        this.bytes = bytes;
        this.window = window;
        int size = Integer.highestOneBit(window * 2 - 1);
        this.appended = new long[size];
        this.mask = size - 1;
    }

    int records() {
        return records;
    }

    /** Returns when all are committed. */
    void run() {
        SplittableRandom random = new SplittableRandom(records);
        long begin = System.nanoTime();
        long seen = 0;
        for (long index = 1; index <= records; index++) {
            long wanted = index - window;
            if (leader.committed() < wanted) {
                leader.awaitCommitted(wanted);
            }
            seen = note(seen);
            byte[] data = new byte[bytes];
            random.nextBytes(data);
            appended[(int) index & mask] = System.nanoTime();
            leader.append(data);
        }
        while (seen < records) {
            leader.awaitCommitted(seen + 1);
            seen = note(seen);
        }
        nanos = System.nanoTime() - begin;
    }

    String summary() {
        double seconds = nanos / NANOS_PER_SECOND;
        return String.format(
                Locale.ROOT,
                "%d records of %d bytes in %.2f s = %.0f/s%nappend to commit: %s",
                records,
                bytes,
                seconds,
                records / seconds,
                latencies.summary());
    }

    /** Takes the times of records that have been committed; says which was the last one. */
    private long note(long seen) {
        long now = System.nanoTime();
        long committed = leader.committed();
        for (long index = seen + 1; index <= committed; index++) {
            latencies.record(now - appended[(int) index & mask]);
        }
        return committed;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.ArrayList;
import java.util.List;

/** Puts a snapshot together. */
record StatsReader(PoolConfig config, Buffers buffers) {
    /** What the pool itself counts. */
    record Counts(
            long exhaustions,
            long failures,
            long waits,
            long waitNanos,
            long claimed,
            long claimedHere,
            long leaks,
            long writesAfterRelease,
            RegistrationCache.Stats userMemory) {}

    PoolStats read(Counts counts) {
        Slabs slabs = buffers.slabs();
        synchronized (slabs) {
            slabs.collectReturned();
            List<PoolStats.SizeClassStats> sizeClasses = sizeClasses();
            long out = slabs.oversizeInUse()
                    + sizeClasses.stream()
                            .mapToLong(PoolStats.SizeClassStats::inUse)
                            .sum();
            return new PoolStats(
                    slabs.capacityBytes(),
                    config.maxBytes(),
                    slabs.idleBytes(),
                    slabs.slabCount(),
                    Math.max(0, out - counts.claimedHere()),
                    sizeClasses.stream()
                            .mapToLong(PoolStats.SizeClassStats::inUseMax)
                            .sum(),
                    counts.claimed(),
                    counts.exhaustions(),
                    counts.failures(),
                    counts.waits(),
                    counts.waitNanos(),
                    slabs.growths(),
                    slabs.shrinks(),
                    slabs.registrations(),
                    slabs.registrationNanos(),
                    counts.leaks(),
                    counts.writesAfterRelease(),
                    slabs.placement(),
                    counts.userMemory(),
                    sizeClasses);
        }
    }

    private List<PoolStats.SizeClassStats> sizeClasses() {
        List<PoolStats.SizeClassStats> result = new ArrayList<>();
        for (int i = 0; i < buffers.classes().count(); i++) {
            SharedList list = buffers.list(i);
            if (list.outMax() > 0) {
                long cached = buffers.caches().count(i);
                long out = Math.max(0, list.out() - cached);
                result.add(new PoolStats.SizeClassStats(
                        SizeClasses.size(i), list.total(), list.free(), cached, out, list.outMax()));
            }
        }
        return result;
    }
}

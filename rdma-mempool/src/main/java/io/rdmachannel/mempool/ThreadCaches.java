// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.ArrayList;
import java.util.List;

/**
 * The caches of all threads that use a pool. A thread's cache is made at its first slow call; when the thread has
 * ended, its buffers go home at the next {@link #drain}. Virtual threads have none, since there may be millions of
 * them.
 */
final class ThreadCaches {
    private final ThreadLocal<ThreadCache> local = new ThreadLocal<>();
    private final List<ThreadCache> all = new ArrayList<>();
    private final SharedList[] lists;
    private final int[] capacities;
    private final int capacityMax;

    ThreadCaches(PoolConfig config, SizeClasses classes, SharedList[] lists) {
        this.lists = lists;
        this.capacities = new int[classes.count()];
        int max = 0;
        for (int i = 0; i < capacities.length; i++) {
            long fitting = config.threadCacheBytes() / classes.stride(i);
            capacities[i] = fitting < 2 ? 0 : (int) Math.min(fitting, config.threadCacheBuffers());
            max = Math.max(max, capacities[i]);
        }
        this.capacityMax = max;
    }

    /** The calling thread's cache of a class, or null when it has none yet. */
    CacheSlots slots(int classIndex) {
        ThreadCache cache = local.get();
        return cache == null ? null : cache.slots(classIndex);
    }

    /** The calling thread's cache, or null when it shall have none for this class. */
    ThreadCache orCreate(int classIndex) {
        if (capacities[classIndex] == 0) {
            return null;
        }
        ThreadCache cache = local.get();
        if (cache == null) {
            cache = create();
        }
        if (cache != null && cache.slots(classIndex) == null) {
            cache.addSlots(classIndex, capacities[classIndex]);
        }
        return cache;
    }

    /** Brings the cached buffers of one class home. */
    void drain(int classIndex) {
        Lease[] stolen = new Lease[capacities[classIndex]];
        for (ThreadCache cache : snapshot()) {
            CacheSlots slots = cache.slots(classIndex);
            if (slots != null) {
                lists[classIndex].give(stolen, slots.steal(stolen));
            }
        }
    }

    /** Brings all cached buffers home, and forgets threads that have ended. */
    void drain() {
        for (int i = 0; i < lists.length; i++) {
            drain(i);
        }
        synchronized (all) {
            // A thread that has ended puts nothing any more; what it put before was drained, or is at the next drain.
            all.removeIf(cache -> cache.isOrphaned() && isEmpty(cache));
        }
    }

    /** Counts the cached buffers of a class, about. */
    long count(int classIndex) {
        long count = 0;
        for (ThreadCache cache : snapshot()) {
            CacheSlots slots = cache.slots(classIndex);
            count += slots == null ? 0 : slots.size();
        }
        return count;
    }

    private ThreadCache create() {
        if (Thread.currentThread().isVirtual()) {
            return null;
        }
        ThreadCache cache = new ThreadCache(lists.length, capacityMax);
        synchronized (all) {
            all.add(cache);
        }
        local.set(cache);
        return cache;
    }

    private List<ThreadCache> snapshot() {
        synchronized (all) {
            return List.copyOf(all);
        }
    }

    private boolean isEmpty(ThreadCache cache) {
        for (int i = 0; i < lists.length; i++) {
            CacheSlots slots = cache.slots(i);
            if (slots != null && slots.size() > 0) {
                return false;
            }
        }
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slow path: where a buffer comes from that the thread does not have at hand. In this order: the list of its class;
 * idle memory; what other threads keep of the class; idle memory of other classes; growth.
 *
 * <p>Locks: the monitor of {@link Slabs} may be held while a list's monitor is taken, never the other way round.
 */
final class Buffers {
    private static final Logger LOGGER = LoggerFactory.getLogger(RegisteredMemoryPool.class);
    private static final int DESCRIPTIONS = 10;

    private final PoolConfig config;
    private final LeaseContext context;
    private final SizeClasses classes;
    private final SpanShape[] shapes;
    private final SharedList[] lists;
    private final ThreadCaches caches;
    private final Slabs slabs;
    /** Whether the last look for idle memory found none. */
    private volatile boolean scarce;

    private boolean closed;
    private boolean growthFailureTold;

    Buffers(PoolConfig config, LeaseContext context, SizeClasses classes) {
        this.config = config;
        this.context = context;
        this.classes = classes;
        this.lists = new SharedList[classes.count()];
        this.shapes = new SpanShape[classes.count()];
        for (int i = 0; i < lists.length; i++) {
            lists[i] = new SharedList();
            shapes[i] = SpanShape.of(classes, i, config.slabBytes());
        }
        this.caches = new ThreadCaches(config, classes, lists);
        this.slabs = new Slabs(config);
        slabs.begin();
    }

    ThreadCaches caches() {
        return caches;
    }

    SharedList list(int index) {
        return lists[index];
    }

    Slabs slabs() {
        return slabs;
    }

    SizeClasses classes() {
        return classes;
    }

    /**
     * Finds a buffer.
     *
     * @param index its class, or -1
     * @param bytes its payload
     * @param forCache whether the thread may take more than one, for its next calls
     * @return a lease that has not begun, or null when the pool is exhausted
     * @throws IllegalStateException if closed
     */
    Lease find(int index, long bytes, boolean forCache) {
        if (index < 0) {
            return findOversize(bytes);
        }
        Lease lease = refill(index, forCache);
        return lease != null ? lease : findAnywhere(index, forCache);
    }

    /** Takes a buffer home: to the thread's own ones while there is room. */
    void giveBack(Lease lease, boolean mayCache) {
        int index = lease.classIndex();
        if (index < 0) {
            Span span = lease.span();
            span.forget();
            slabs.giveOversize(span);
            Reference.reachabilityFence(lease);
            return;
        }
        ThreadCache cache = mayCache ? caches.orCreate(index) : null;
        if (cache == null) {
            lists[index].give(lease);
            return;
        }
        CacheSlots slots = cache.slots(index);
        if (!slots.put(lease)) {
            flushHalf(index, cache, slots);
            slots.put(lease);
        }
    }

    long grow(long bytes) {
        synchronized (slabs) {
            requireOpen();
            return slabs.grow(bytes);
        }
    }

    long shrink() {
        synchronized (slabs) {
            requireOpen();
            caches.drain();
            reclaimIdleSpans();
            return slabs.shrink();
        }
    }

    void deregister() {
        synchronized (slabs) {
            requireOpen();
            slabs.deregister();
        }
    }

    void registerAgain() {
        synchronized (slabs) {
            requireOpen();
            slabs.registerAgain();
        }
    }

    /** Closes for good if every buffer is home; says whether it did. */
    boolean closeIfWhole() {
        synchronized (slabs) {
            if (closed) {
                return true;
            }
            caches.drain();
            slabs.collectReturned();
            boolean whole = slabs.oversizeInUse() == 0;
            for (int i = 0; i < lists.length && whole; i++) {
                whole = lists[i].closeIfWhole();
            }
            closed = whole;
            for (int i = 0; i < lists.length && !whole; i++) {
                lists[i].reopen();
            }
            return whole;
        }
    }

    /** After {@link #closeIfWhole} said yes. */
    void free() {
        synchronized (slabs) {
            slabs.freeAll();
        }
    }

    /** Counts what is out, claims included; what other threads keep goes home first. */
    long out() {
        synchronized (slabs) {
            caches.drain();
            slabs.collectReturned();
            long out = slabs.oversizeInUse();
            for (SharedList list : lists) {
                out += list.out();
            }
            return out;
        }
    }

    /** Names some of the buffers that are out. */
    List<String> describeOut() {
        List<String> descriptions = new ArrayList<>();
        synchronized (slabs) {
            slabs.describeOversizeOut(descriptions, DESCRIPTIONS);
            for (SharedList list : lists) {
                list.describeOut(descriptions, DESCRIPTIONS);
            }
        }
        return descriptions;
    }

    private Lease refill(int index, boolean forCache) {
        ThreadCache cache = forCache ? caches.orCreate(index) : null;
        if (cache == null) {
            return lists[index].takeOne();
        }
        CacheSlots slots = cache.slots(index);
        Lease[] scratch = cache.scratch();
        int count = lists[index].take(scratch, Math.max(1, slots.capacity() / 2), scarce);
        if (count == 0) {
            return null;
        }
        for (int i = 0; i < count; i++) {
            scratch[i].fetch();
        }
        for (int i = count - 1; i > 0; i--) {
            if (!slots.put(scratch[i])) {
                lists[index].give(scratch[i]);
            }
            scratch[i] = null;
        }
        Lease lease = scratch[0];
        scratch[0] = null;
        return lease;
    }

    private void flushHalf(int index, ThreadCache cache, CacheSlots slots) {
        Lease[] scratch = cache.scratch();
        int count = 0;
        int half = Math.max(1, slots.capacity() / 2);
        while (count < half) {
            Lease lease = slots.take();
            if (lease == null) {
                break;
            }
            scratch[count++] = lease;
        }
        lists[index].give(scratch, count);
    }

    private Lease findAnywhere(int index, boolean forCache) {
        synchronized (slabs) {
            requireOpen();
            Lease lease = carved(index, forCache);
            if (lease != null) {
                return lease;
            }
            caches.drain(index);
            lease = refill(index, forCache);
            if (lease != null) {
                return lease;
            }
            caches.drain();
            if (reclaimIdleSpans()) {
                lease = carved(index, forCache);
            }
            return lease == null && grownByItself() ? carved(index, forCache) : lease;
        }
    }

    /** From the list, or from idle memory as long as others empty the list at once. */
    private Lease carved(int index, boolean forCache) {
        Lease lease = refill(index, forCache);
        while (lease == null) {
            Span span = slabs.carve(shapes[index], isTracked());
            scarce = span == null;
            if (scarce) {
                return null;
            }
            lists[index].add(span, span.leases(context));
            lease = refill(index, forCache);
        }
        return lease;
    }

    private Lease findOversize(long bytes) {
        synchronized (slabs) {
            requireOpen();
            Span span = slabs.carveOversize(classes, bytes, isTracked());
            if (span == null) {
                // The slabs that the pool grew by may be idle by now, and count towards the same limit.
                caches.drain();
                reclaimIdleSpans();
                span = slabs.shrink() == 0 ? null : slabs.carveOversize(classes, bytes, isTracked());
            }
            return span == null ? null : span.leases(context)[0];
        }
    }

    private boolean isTracked() {
        return !context.tracker().isOff();
    }

    private boolean reclaimIdleSpans() {
        boolean found = false;
        for (SharedList list : lists) {
            for (Span span : list.removeIdle()) {
                slabs.uncarve(span);
                found = true;
            }
        }
        return found;
    }

    /**
     * A pool that wants to grow and may not is exhausted: on the way of a message that is a result and no exception.
     */
    private boolean grownByItself() {
        if (config.growthBytes() == 0) {
            return false;
        }
        try {
            return slabs.grow(config.growthBytes()) > 0;
        } catch (RuntimeException refused) {
            if (!growthFailureTold) {
                growthFailureTold = true;
                LOGGER.warn("Pool {} cannot grow and stays as it is: {}", config.name(), refused.toString());
            }
            return false;
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("pool " + config.name() + " is closed");
        }
    }
}

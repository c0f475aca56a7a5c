// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The free buffers of one size class that no thread keeps for itself. Threads take and give many at a time, as one copy
 * of an array, so the lock is held shortly and rarely; a monitor, since waiting for it allocates nothing.
 */
final class SharedList {
    private static final int INITIAL_CAPACITY = 64;
    private static final int SPARING_SHARE = 4;

    private final List<Span> spans = new ArrayList<>();
    private Lease[] stock = new Lease[INITIAL_CAPACITY];
    private int free;
    private int total;
    private int outMax;
    private boolean closed;

    /**
     * Takes buffers.
     *
     * @param into where to put them, from the beginning
     * @param most not more than these, at least 1
     * @param sparingly whether to leave most of what is there for other threads, since there is no more memory
     * @return how many were taken, 0 when there is none
     */
    synchronized int take(Lease[] into, int most, boolean sparingly) {
        int share = sparingly ? Math.ceilDiv(free, SPARING_SHARE) : free;
        int count = closed ? 0 : Math.min(most, share);
        free -= count;
        System.arraycopy(stock, free, into, 0, count);
        Arrays.fill(stock, free, free + count, null);
        outMax = Math.max(outMax, total - free);
        return count;
    }

    /** Takes one buffer, or null. */
    synchronized Lease takeOne() {
        if (free == 0 || closed) {
            return null;
        }
        Lease lease = stock[--free];
        stock[free] = null;
        outMax = Math.max(outMax, total - free);
        return lease;
    }

    synchronized void give(Lease lease) {
        stock[free++] = lease;
    }

    /** Gives the first buffers of an array, and clears their places. */
    synchronized void give(Lease[] leases, int count) {
        System.arraycopy(leases, 0, stock, free, count);
        free += count;
        Arrays.fill(leases, 0, count, null);
    }

    /** Adds a new span with all its buffers. */
    synchronized void add(Span span, Lease[] leases) {
        spans.add(span);
        total += leases.length;
        if (total > stock.length) {
            stock = Arrays.copyOf(stock, Math.max(total, stock.length * 2));
        }
        System.arraycopy(leases, 0, stock, free, leases.length);
        free += leases.length;
    }

    /** Removes the spans all of whose buffers are here; their leases are forgotten. */
    synchronized List<Span> removeIdle() {
        Map<Span, Integer> here = new HashMap<>();
        for (int i = 0; i < free; i++) {
            here.merge(stock[i].span(), 1, Integer::sum);
        }
        here.entrySet().removeIf(entry -> entry.getKey().bufferCount() != entry.getValue());
        if (!here.isEmpty()) {
            // While the leases are still reachable, or the collector could take them for lost ones first.
            here.keySet().forEach(Span::forget);
            spans.removeAll(here.keySet());
            removeBuffersOf(here);
        }
        return List.copyOf(here.keySet());
    }

    /** Gives out nothing any more, if all buffers are here; says whether they are. */
    synchronized boolean closeIfWhole() {
        closed = total == free;
        return closed;
    }

    synchronized void reopen() {
        closed = false;
    }

    synchronized void describeOut(List<String> descriptions, int limit) {
        Map<Span, BitSet> here = new HashMap<>();
        for (int i = 0; i < free; i++) {
            here.computeIfAbsent(stock[i].span(), span -> new BitSet()).set(stock[i].position());
        }
        for (Span span : spans) {
            span.describeOut(here.getOrDefault(span, new BitSet()), descriptions, limit);
        }
    }

    synchronized long total() {
        return total;
    }

    synchronized long free() {
        return free;
    }

    synchronized long out() {
        return total - free;
    }

    synchronized long outMax() {
        return outMax;
    }

    private void removeBuffersOf(Map<Span, Integer> removed) {
        int kept = 0;
        for (int i = 0; i < free; i++) {
            if (!removed.containsKey(stock[i].span())) {
                stock[kept++] = stock[i];
            }
        }
        Arrays.fill(stock, kept, free, null);
        total -= free - kept;
        free = kept;
    }
}

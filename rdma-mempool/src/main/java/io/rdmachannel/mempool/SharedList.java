// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The free buffers of one size class that no thread keeps for itself. Threads take and give many at a time, so the lock
 * is held shortly and rarely; a monitor, since waiting for it allocates nothing.
 */
final class SharedList {
    private final ArrayDeque<Span> withFree = new ArrayDeque<>();
    private final List<Span> spans = new ArrayList<>();
    private long total;
    private long free;
    private long outMax;
    private boolean closed;

    /**
     * Takes buffers, fewer when there are few left, so that one thread does not take all that others could use.
     *
     * @param into where to put them, from the beginning
     * @param most not more than these, at least 1
     * @return how many were taken, 0 when there is none
     */
    synchronized int take(Lease[] into, int most) {
        int count = closed ? 0 : (int) Math.min(most, Math.ceilDiv(free, 4));
        for (int i = 0; i < count; i++) {
            into[i] = pop();
        }
        outMax = Math.max(outMax, total - free);
        return count;
    }

    /** Takes one buffer, or null. */
    synchronized Lease takeOne() {
        if (free == 0 || closed) {
            return null;
        }
        Lease lease = pop();
        outMax = Math.max(outMax, total - free);
        return lease;
    }

    synchronized void give(Lease lease) {
        push(lease);
    }

    /** Gives the first buffers of an array, and clears their places. */
    synchronized void give(Lease[] leases, int count) {
        for (int i = 0; i < count; i++) {
            push(leases[i]);
            leases[i] = null;
        }
    }

    synchronized void add(Span span) {
        spans.add(span);
        withFree.addLast(span);
        total += span.bufferCount();
        free += span.freeCount();
    }

    /** Removes the spans all of whose buffers are here. */
    synchronized List<Span> removeIdle() {
        List<Span> idle = new ArrayList<>();
        for (Span span : spans) {
            if (span.isIdle()) {
                idle.add(span);
            }
        }
        if (!idle.isEmpty()) {
            spans.removeAll(idle);
            withFree.removeAll(idle);
            long buffers = idle.stream().mapToLong(Span::bufferCount).sum();
            total -= buffers;
            free -= buffers;
        }
        return idle;
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
        for (Span span : spans) {
            span.describeOut(descriptions, limit);
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

    private Lease pop() {
        Span span = withFree.peekFirst();
        Lease lease = span.pop();
        if (span.freeCount() == 0) {
            withFree.removeFirst();
        }
        free--;
        return lease;
    }

    private void push(Lease lease) {
        Span span = lease.span();
        span.push(lease);
        if (span.freeCount() == 1) {
            withFree.addFirst(span);
        }
        free++;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds lost leases and reports each once. Their buffers stay out: an adapter may still know them. Any thread. */
final class LeakTracker {
    private static final Logger LOGGER = LoggerFactory.getLogger(RegisteredMemoryPool.class);

    private final ReferenceQueue<Lease> queue = new ReferenceQueue<>();
    private final AtomicLong count = new AtomicLong();
    private final String pool;
    private final LeakDetection level;

    LeakTracker(String pool, LeakDetection level) {
        this.pool = pool;
        this.level = level;
    }

    boolean isOff() {
        return level == LeakDetection.OFF;
    }

    boolean remembersAll() {
        return level == LeakDetection.FULL;
    }

    ReferenceQueue<Lease> queue() {
        return queue;
    }

    long count() {
        return count.get();
    }

    /** Reports what the garbage collector has found since the last time. */
    void report() {
        Reference<? extends Lease> found = queue.poll();
        while (found != null) {
            report((LeaseReference) found);
            found = queue.poll();
        }
    }

    private void report(LeaseReference lost) {
        if (!lost.span().isCurrent(lost)) {
            return;
        }
        count.incrementAndGet();
        long bytes = lost.span().payload(lost.position()).byteSize();
        String acquired = LeaseReference.describe(lost);
        LeakEvent.emit(pool, bytes, acquired);
        String hint = lost.acquisition() == null ? "; to see where, use LeakDetection.FULL" : acquired;
        LOGGER.error(
                "Pool {} lost a buffer: a lease of {} was never released{}",
                pool,
                Bytes.text(bytes),
                hint,
                lost.acquisition());
    }
}

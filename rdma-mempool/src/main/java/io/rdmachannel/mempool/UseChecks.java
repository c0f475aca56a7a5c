// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checked mode: fills released memory with a pattern, and looks whether it is still there at the next acquire. */
final class UseChecks {
    static final byte POISON = (byte) 0xDE;
    private static final long POISON_WORD = 0xDEDEDEDEDEDEDEDEL;
    private static final Logger LOGGER = LoggerFactory.getLogger(RegisteredMemoryPool.class);

    private final String pool;
    private final AtomicLong writesAfterRelease = new AtomicLong();

    UseChecks(String pool) {
        this.pool = pool;
    }

    long writesAfterRelease() {
        return writesAfterRelease.get();
    }

    /** Poisons a released buffer; returns the object under which it will be handed out again. */
    Lease retire(Lease lease) {
        Lease next = lease.successor();
        next.whole().fill(POISON);
        return next;
    }

    /** Reports a write since the release; the buffer is good to use. */
    void inspect(Lease lease) {
        Throwable lastRelease = lease.lastRelease();
        if (lastRelease == null) {
            return;
        }
        long changed = firstChange(lease.whole());
        if (changed < 0) {
            return;
        }
        writesAfterRelease.incrementAndGet();
        LOGGER.error(
                "Pool {}: a buffer was written to after its release, {} bytes from the beginning of the headroom of {}",
                pool,
                changed,
                lease,
                lastRelease);
    }

    private static long firstChange(MemorySegment memory) {
        long words = memory.byteSize() / Long.BYTES;
        for (long i = 0; i < words; i++) {
            if (memory.get(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES) != POISON_WORD) {
                return i * Long.BYTES;
            }
        }
        for (long i = words * Long.BYTES; i < memory.byteSize(); i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, i) != POISON) {
                return i;
            }
        }
        return -1;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts registrations; refuses when told to. Keys are the number of the registration plus a base. */
final class FakeRegistrar implements Registrar {
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger made = new AtomicInteger();
    volatile int refuseFrom = Integer.MAX_VALUE;
    volatile RuntimeException refuseClose;
    private final int keyBase;
    private final boolean outlived;

    FakeRegistrar(int keyBase) {
        this(keyBase, true);
    }

    /** With or without the check that memory lives longer than its registration. */
    FakeRegistrar(int keyBase, boolean outlived) {
        this.keyBase = keyBase;
        this.outlived = outlived;
    }

    @Override
    public Registration register(MemorySegment memory) {
        int number = made.incrementAndGet();
        if (number >= refuseFrom) {
            throw new IllegalStateException("refused by the test");
        }
        open.incrementAndGet();
        return new FakeRegistration(keyBase + number, memory);
    }

    @Override
    public boolean pinsMemory() {
        return false;
    }

    private final class FakeRegistration implements Registration {
        private final int key;
        private final MemorySegment memory;
        private boolean closed;

        FakeRegistration(int key, MemorySegment memory) {
            this.key = key;
            this.memory = memory;
        }

        @Override
        public int localKey() {
            return key;
        }

        @Override
        public int remoteKey() {
            return -key;
        }

        @Override
        public void close() {
            if (refuseClose != null) {
                throw refuseClose;
            }
            if (!closed) {
                closed = true;
                if (outlived && !memory.scope().isAlive()) {
                    throw new AssertionError("the memory was unmapped before its registration ended");
                }
                open.decrementAndGet();
            }
        }
    }
}

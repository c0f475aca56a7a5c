// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;

/**
 * Memory of a user, registered through {@link RegisteredMemoryPool#register} or a {@link RegistrationCache}. Keeps its
 * registration until closed; the memory must live as long. Any thread may use it; closing is idempotent and does not
 * block.
 */
public final class RegisteredMemory implements RegisteredBuffer, AutoCloseable {
    private final RegistrationCache cache;
    private final RegistrationCache.Entry entry;
    private final MemorySegment segment;
    private boolean closed;

    RegisteredMemory(RegistrationCache cache, RegistrationCache.Entry entry, MemorySegment segment) {
        this.cache = cache;
        this.entry = entry;
        this.segment = segment;
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public long address() {
        return segment.address();
    }

    @Override
    public long length() {
        return segment.byteSize();
    }

    @Override
    public int localKey() {
        return entry.registrations().localKey(0);
    }

    @Override
    public int remoteKey() {
        return entry.registrations().remoteKey(0);
    }

    /**
     * Gives the local key for another registrar than the first.
     *
     * @param registrar its position, from 0
     * @return the lkey
     * @throws IndexOutOfBoundsException if there is no such registrar
     */
    public int localKey(int registrar) {
        return entry.registrations().localKey(registrar);
    }

    /**
     * Gives the remote key for another registrar than the first.
     *
     * @param registrar its position, from 0
     * @return the rkey
     * @throws IndexOutOfBoundsException if there is no such registrar
     */
    public int remoteKey(int registrar) {
        return entry.registrations().remoteKey(registrar);
    }

    boolean isOf(RegistrationCache other) {
        return cache == other;
    }

    /** Lets go of the registration, which stays in the cache for the next time. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        cache.giveBack(entry);
    }
}

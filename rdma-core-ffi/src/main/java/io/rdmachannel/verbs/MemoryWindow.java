// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.MemoryCalls;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.generated.ibverbs.ibv_mw;
import io.rdmachannel.ffi.generated.libc.libc;
import java.lang.foreign.MemorySegment;

/**
 * A memory window ({@code ibv_alloc_mw(3)}): a remote key for a part of a region, given and taken back by work
 * requests, without the cost of a registration.
 *
 * <p>A window of type 1 is bound by {@link QueuePair#bind}, one of type 2 by a send work request. Any thread may call.
 * A window of type 2 is closed with the queue pair that bound it last.
 */
public final class MemoryWindow implements AutoCloseable {
    private final ProtectionDomain domain;
    private final MemoryWindowType type;
    private final MemorySegment handle;
    private final Lifetime lifetime;
    private Lifetime boundBy;

    MemoryWindow(ProtectionDomain domain, MemoryWindowType type) {
        this.domain = domain;
        this.type = type;
        domain.lifetime().acquire();
        try {
            this.handle = Pointers.view(allocate(), ibv_mw.sizeof());
            this.lifetime = Lifetime.of(
                            "memory window of " + domain.context().device().name(), CloseOrder.MEMORY_WINDOW)
                    .childOf(domain.lifetime())
                    .destroyedBy(this::destroy)
                    .begin();
        } finally {
            domain.lifetime().release();
        }
    }

    /**
     * Says how the window is bound.
     *
     * @return its type
     */
    public MemoryWindowType type() {
        return type;
    }

    /**
     * Gives the key for peers. It changes when a window of type 1 is bound.
     *
     * @return the rkey now
     * @throws IllegalStateException if closed
     */
    public int remoteKey() {
        lifetime.acquire();
        try {
            return ibv_mw.rkey(handle);
        } finally {
            lifetime.release();
        }
    }

    /**
     * Gives the domain of the window.
     *
     * @return the domain
     */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /**
     * Frees the window; its key becomes useless. Idempotent; any thread.
     *
     * @throws VerbsException if the device refuses; close can be repeated
     */
    @Override
    public void close() {
        lifetime.close();
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }

    MemorySegment handle() {
        return handle;
    }

    Lifetime lifetime() {
        return lifetime;
    }

    /** A window of type 2 holds on to the queue pair that bound it, so it must be closed before. */
    synchronized void boundBy(Lifetime queuePair) {
        if (boundBy != queuePair) {
            if (boundBy != null) {
                boundBy.disown(lifetime);
            }
            queuePair.adopt(lifetime);
            boundBy = queuePair;
        }
    }

    private MemorySegment allocate() {
        String asked = "a memory window of " + type + " on "
                + domain.context().device().name();
        if (Pointers.isNull(domain.context().ops().allocateMemoryWindow())) {
            throw new VerbsException("ibv_alloc_mw", libc.EOPNOTSUPP(), asked, "Its provider has no memory windows.");
        }
        return Results.checkPointer(
                "ibv_alloc_mw",
                MemoryCalls.ibv_alloc_mw(domain.context().ops(), domain.handle(), type.raw()),
                asked,
                "See the device's limit in DeviceAttributes.");
    }

    private void destroy() {
        domain.context()
                .checkDestroyed(
                        "ibv_dealloc_mw",
                        MemoryCalls.ibv_dealloc_mw(domain.context().ops(), handle),
                        lifetime,
                        "");
    }
}

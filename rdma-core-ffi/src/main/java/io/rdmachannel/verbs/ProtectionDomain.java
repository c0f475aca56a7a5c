// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.MemoryCalls;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/**
 * A protection domain ({@code ibv_alloc_pd(3)}): queue pairs reach only memory that was registered in their own domain.
 *
 * <p>Lives until it or its context is closed; closing it closes all that was made in it first. All methods may be
 * called by any thread. Registering memory pins its pages and can take long; nothing else here blocks.
 */
public final class ProtectionDomain implements AutoCloseable {
    private final DeviceContext context;
    private final MemorySegment handle;
    private final Lifetime lifetime;

    ProtectionDomain(DeviceContext context) {
        this.context = context;
        context.lifetime().acquire();
        try {
            this.handle = Results.checkPointer(
                    "ibv_alloc_pd",
                    MemoryCalls.ibv_alloc_pd(context.handle()),
                    "one more protection domain on " + context.device().name(),
                    "See the device's limit in DeviceAttributes, and close domains that are not used.");
            this.lifetime = Lifetime.of(
                            "protection domain of " + context.device().name(), CloseOrder.PROTECTION_DOMAIN)
                    .childOf(context.lifetime())
                    .destroyedBy(this::destroy)
                    .begin();
        } finally {
            context.lifetime().release();
        }
    }

    /**
     * Gives the context that the domain was made in.
     *
     * @return the context
     */
    public DeviceContext context() {
        return context;
    }

    /**
     * Registers memory ({@code ibv_reg_mr(3)}): pins its pages and lets the adapter use it within the given rights.
     *
     * <p>The region keeps the segment reachable, so memory of an automatic arena stays; memory whose arena is closed
     * by hand must outlive the region.
     *
     * @param memory native, writable memory of at least one byte
     * @param access the rights; reading locally is always allowed
     * @return the region, to be closed by the caller or with this domain
     * @throws IllegalArgumentException if the memory is on the heap, empty or read-only, or the rights contradict each
     *     other
     * @throws VerbsException if the kernel refuses, for instance for the limit on locked memory
     * @throws IllegalStateException if this domain or the memory's arena is closed
     */
    public MemoryRegion registerMemory(MemorySegment memory, Set<AccessFlag> access) {
        Objects.requireNonNull(memory, "memory");
        return new MemoryRegion(this, memory, Set.copyOf(access));
    }

    /**
     * Makes a memory window ({@code ibv_alloc_mw(3)}), to be bound to a part of a region later.
     *
     * @param type how it is bound
     * @return the window, to be closed by the caller or with this domain
     * @throws VerbsException if the device has no windows of this type, or no more of them
     * @throws IllegalStateException if closed
     */
    public MemoryWindow allocateMemoryWindow(MemoryWindowType type) {
        return new MemoryWindow(this, Objects.requireNonNull(type, "type"));
    }

    /**
     * Makes a queue pair ({@code ibv_create_qp(3)}), in state RESET.
     *
     * @param config its type, queues and sizes
     * @return the queue pair, to be closed by the caller or with this domain
     * @throws IllegalArgumentException if a queue belongs to another device
     * @throws VerbsException if the device refuses; the message compares what was asked with the device's limits
     * @throws IllegalStateException if this domain or a queue is closed
     */
    public QueuePair createQueuePair(QueuePairConfig config) {
        return new QueuePair(this, Objects.requireNonNull(config, "config"));
    }

    /**
     * Makes a shared receive queue ({@code ibv_create_srq(3)}).
     *
     * @param config its sizes
     * @return the queue, to be closed by the caller or with this domain
     * @throws VerbsException if the device refuses; the message compares what was asked with the device's limits
     * @throws IllegalStateException if closed
     */
    public SharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueConfig config) {
        return new SharedReceiveQueue(this, Objects.requireNonNull(config, "config"));
    }

    /**
     * Makes an address handle ({@code ibv_create_ah(3)}), which names the destination of a datagram.
     *
     * @param destination where datagrams go
     * @return the handle, to be closed by the caller or with this domain
     * @throws VerbsException if the destination cannot be resolved
     * @throws IllegalStateException if closed
     */
    public AddressHandle createAddressHandle(AddressVector destination) {
        return new AddressHandle(this, Objects.requireNonNull(destination, "destination"));
    }

    /**
     * Closes what was made in this domain, then the domain. Idempotent; any thread.
     *
     * @throws WrongThreadException if a queue in it is confined to another living thread; nothing is closed then
     * @throws VerbsException if the device refuses; what could not be closed stays usable, and close can be repeated
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

    private void destroy() {
        context.checkDestroyed(
                "ibv_dealloc_pd",
                MemoryCalls.ibv_dealloc_pd(handle),
                lifetime,
                "Something made in it outside this library may still be there.");
    }
}

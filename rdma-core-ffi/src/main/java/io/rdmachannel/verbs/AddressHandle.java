// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.QueueCalls;
import io.rdmachannel.ffi.generated.ibverbs.ibv_ah_attr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The resolved destination of datagrams ({@code ibv_create_ah(3)}), which a work request of an unreliable datagram
 * queue pair names. Must stay open until the work that names it has completed. Any thread may call.
 */
public final class AddressHandle implements AutoCloseable {
    private final AddressVector destination;
    private final MemorySegment handle;
    private final DeviceContext context;
    private final Lifetime lifetime;

    AddressHandle(ProtectionDomain domain, AddressVector destination) {
        this.destination = destination;
        this.context = domain.context();
        domain.lifetime().acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_ah_attr.allocate(arena);
            destination.writeTo(attributes);
            this.handle = Results.checkPointer(
                    "ibv_create_ah",
                    QueueCalls.ibv_create_ah(domain.handle(), attributes),
                    "an address handle for " + destination,
                    "EINVAL: check the port and the source GID index. ENETUNREACH, ETIMEDOUT or EHOSTUNREACH:"
                            + " there is no route to the destination GID, or nobody answers there.");
            this.lifetime = Lifetime.of(
                            "address handle of " + domain.context().device().name(), CloseOrder.ADDRESS_HANDLE)
                    .childOf(domain.lifetime())
                    .destroyedBy(this::destroy)
                    .begin();
        } finally {
            domain.lifetime().release();
        }
    }

    /**
     * Gives the destination.
     *
     * @return what the handle was made from
     */
    public AddressVector destination() {
        return destination;
    }

    /**
     * Frees the handle. Idempotent; any thread.
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

    private void destroy() {
        context.checkDestroyed("ibv_destroy_ah", QueueCalls.ibv_destroy_ah(handle), lifetime, "");
    }
}

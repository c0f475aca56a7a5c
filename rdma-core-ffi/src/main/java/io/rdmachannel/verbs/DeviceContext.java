// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.DeviceCalls;
import io.rdmachannel.ffi.EventWait;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.OpsTable;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.generated.ibverbs.ibv_context;
import io.rdmachannel.ffi.generated.ibverbs.ibv_device_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibv_port_attr;
import io.rdmachannel.ffi.generated.libc.libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * An open device ({@code ibv_open_device(3)}): the root of every verbs object made with it, and the source of its
 * asynchronous events.
 *
 * <p>Lives until closed; closing it closes all that was made in it first. All methods may be called by any thread. Only
 * {@link #awaitAsyncEvent} blocks for long.
 */
public final class DeviceContext implements AutoCloseable {
    private final Device device;
    private final MemorySegment handle;
    private final OpsTable ops;
    private final AsyncEvents asyncEvents;
    private final DeviceNode node;
    private final Lifetime lifetime;

    DeviceContext(Device device, MemorySegment pointer) {
        this.device = device;
        this.handle = Pointers.view(pointer, ibv_context.sizeof());
        this.ops = OpsTable.of(handle);
        this.node = DeviceNode.of(ibv_context.device(handle));
        this.asyncEvents = startAsyncEvents();
        this.lifetime = Lifetime.of("device context of " + device.name(), CloseOrder.CONTEXT)
                .wakingBy(asyncEvents::wake)
                .destroyedBy(this::destroy)
                .begin();
    }

    /**
     * Names the device.
     *
     * @return the device that was opened
     */
    public Device device() {
        return device;
    }

    /**
     * Asks the device for its limits and capabilities ({@code ibv_query_device(3)}).
     *
     * @return what the device reports now
     * @throws VerbsException if the query fails
     * @throws IllegalStateException if closed
     */
    public DeviceAttributes attributes() {
        lifetime.acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_device_attr.allocate(arena);
            Results.check(
                    "ibv_query_device",
                    DeviceCalls.ibv_query_device(handle, attributes),
                    "asking device " + device.name() + " for its attributes",
                    "");
            return DeviceAttributes.from(attributes);
        } finally {
            lifetime.release();
        }
    }

    /**
     * Asks for the state of a port ({@code ibv_query_port(3)}, with the fields that only the header's inline fills).
     *
     * @param port port number, from 1 to {@link DeviceAttributes}' number of ports
     * @return the port's attributes now
     * @throws IllegalArgumentException if the device has no such port
     * @throws VerbsException if the query fails
     * @throws IllegalStateException if closed
     */
    public PortAttributes port(int port) {
        requirePort(port);
        lifetime.acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_port_attr.allocate(arena);
            Results.check(
                    "ibv_query_port",
                    DeviceCalls.ibv_query_port(ops, handle, (byte) port, attributes),
                    "asking port " + port + " of " + device.name() + " for its attributes",
                    "");
            return PortAttributes.from(port, attributes);
        } finally {
            lifetime.release();
        }
    }

    /**
     * Reads a port's GID table: the filled entries with index, type and network interface. Empty slots are left out, so
     * the indexes may have gaps.
     *
     * @param port port number, from 1
     * @return the entries in the order of their indexes
     * @throws IllegalArgumentException if the device has no such port
     * @throws VerbsException if the table cannot be read
     * @throws IllegalStateException if closed
     */
    public List<GidEntry> gidTable(int port) {
        int length = port(port).gidTableLength();
        lifetime.acquire();
        try {
            return new GidTable(this, port, length).entries();
        } finally {
            lifetime.release();
        }
    }

    /**
     * Makes a protection domain ({@code ibv_alloc_pd(3)}).
     *
     * @return the domain, to be closed by the caller or with this context
     * @throws VerbsException if the device has no more of them
     * @throws IllegalStateException if closed
     */
    public ProtectionDomain allocateProtectionDomain() {
        return new ProtectionDomain(this);
    }

    /**
     * Makes a channel on which completion queues can be waited for ({@code ibv_create_comp_channel(3)}).
     *
     * @return the channel, to be closed by the caller or with this context
     * @throws VerbsException if the process has no more file descriptors
     * @throws IllegalStateException if closed
     */
    public CompletionChannel createCompletionChannel() {
        return new CompletionChannel(this);
    }

    /**
     * Makes a completion queue ({@code ibv_create_cq(3)}).
     *
     * @param config its size and the channel that it reports to
     * @return the queue, to be closed by the caller or with this context
     * @throws IllegalArgumentException if the configuration asks for more than the device allows
     * @throws VerbsException if the device refuses
     * @throws IllegalStateException if this context or the channel is closed
     */
    public CompletionQueue createCompletionQueue(CompletionQueueConfig config) {
        return new CompletionQueue(this, Objects.requireNonNull(config, "config"));
    }

    /**
     * Waits for an asynchronous event of this context: a port that went down, a queue pair in error, a device that goes
     * away ({@code ibv_get_async_event(3)}). The event is acknowledged before this returns. Several threads may wait;
     * each event goes to one of them. The wait cannot be interrupted; {@link #close()} ends it.
     *
     * @param timeout how long to wait at most; 0 only looks
     * @param unit its unit
     * @return the event, or null at the time limit
     * @throws VerbsException if the event cannot be read
     * @throws IllegalStateException if closed
     */
    public AsyncEvent awaitAsyncEvent(long timeout, TimeUnit unit) {
        Ranges.require("timeout", timeout, 0, Long.MAX_VALUE);
        Objects.requireNonNull(unit, "unit");
        lifetime.acquire();
        try {
            return asyncEvents.await(unit.toNanos(timeout));
        } finally {
            lifetime.release();
        }
    }

    /**
     * Says whether the kernel still shows the device that was opened. Most drivers tell of a removal by
     * {@link AsyncEventType#DEVICE_FATAL}; Soft-RoCE tells nobody, and waits until all contexts are closed. Looks into
     * the file system, so it does not belong on a data path.
     *
     * @return false when it is being removed, or was, even if there is another one of the same name now; true also when
     *     its node under {@code /sys/class/infiniband_verbs} could not be seen when it was opened
     */
    public boolean isPresent() {
        return node.isPresent();
    }

    /**
     * Closes everything that was made in this context, then the context. Idempotent; any thread.
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

    OpsTable ops() {
        return ops;
    }

    Lifetime lifetime() {
        return lifetime;
    }

    AsyncEvents asyncEvents() {
        return asyncEvents;
    }

    /**
     * Checks what a destroyer has returned. A kernel that took the device away has destroyed everything before, and
     * answers EIO ({@code ibv_open_device(3)}, NOTES): the adapter uses none of it any more, and what libibverbs keeps
     * of the object is lost.
     *
     * @param verb the destroyer
     * @param of what was to be destroyed
     * @return whether the kernel had destroyed it before
     */
    boolean checkDestroyed(String verb, int result, Lifetime of, String remedy) {
        boolean before = Math.abs(result) == libc.EIO() && !isPresent();
        Results.check(verb, before ? 0 : result, "closing " + of, remedy);
        return before;
    }

    void requirePort(int port) {
        int ports = attributes().portCount();
        if (port < 1 || port > ports) {
            throw new IllegalArgumentException(
                    "port is " + port + ", and " + device.name() + " has the ports 1 to " + ports);
        }
    }

    private AsyncEvents startAsyncEvents() {
        try {
            return new AsyncEvents(device.name(), handle, EventWait.on(ibv_context.async_fd(handle)));
        } catch (RuntimeException failure) {
            DeviceCalls.ibv_close_device(handle);
            throw failure;
        }
    }

    private void destroy() {
        Results.checkErrno(
                "ibv_close_device", DeviceCalls.ibv_close_device(handle), "closing device " + device.name(), "");
        asyncEvents.close();
    }
}

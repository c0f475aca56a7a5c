// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.EventWait;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.RdmaCm;
import io.rdmachannel.ffi.generated.libc.libc;
import io.rdmachannel.ffi.generated.rdmacm.rdma_cm_event;
import io.rdmachannel.ffi.generated.rdmacm.rdma_event_channel;
import io.rdmachannel.verbs.RdmaUnavailableException;
import io.rdmachannel.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where connections report what happens to them ({@code rdma_create_event_channel(3)}). One channel may serve any
 * number of {@link ConnectionId}s.
 *
 * <p>Lives until closed; closing it closes its identifiers first. Any thread may call. Only {@link #await} blocks for
 * long. Every event is copied and acknowledged before it is handed out, so closing an identifier never waits for a
 * program that has not looked at its events.
 *
 * <p>The library keeps each device that it has used open for the life of the process, also when all channels are
 * closed; {@code rdma link delete} of such a device waits for the end of the process.
 */
public final class EventChannel implements AutoCloseable {
    private final MemorySegment handle;
    private final EventWait wait;
    private final MemorySegment eventPointer = Arena.ofAuto().allocate(ValueLayout.ADDRESS);
    private final Map<Long, ConnectionId> ids = new ConcurrentHashMap<>();
    private final ReentrantLock eventLock = new ReentrantLock();
    private final Lifetime lifetime;

    private EventChannel(MemorySegment pointer) {
        this.handle = Pointers.view(pointer, rdma_event_channel.sizeof());
        this.wait = startWait();
        this.lifetime = Lifetime.of("event channel", CloseOrder.CONTEXT)
                .wakingBy(wait::wake)
                .destroyedBy(this::destroy)
                .begin();
    }

    /**
     * Makes a channel.
     *
     * @return the channel, to be closed by the caller
     * @throws RdmaUnavailableException if {@code librdmacm} cannot be used in this process
     * @throws VerbsException if the kernel offers no connection manager, or the process has no more file descriptors
     */
    public static EventChannel create() {
        ConnectionManager.ensureAvailable();
        MemorySegment pointer = RdmaCm.rdma_create_event_channel();
        if (Pointers.isNull(pointer)) {
            throw withoutDevice(Errno.captured());
        }
        return new EventChannel(pointer);
    }

    /**
     * Makes an identifier whose events come on this channel ({@code rdma_create_id(3)}).
     *
     * @param space which service it is for
     * @return the identifier, to be closed by the caller or with this channel
     * @throws VerbsException if the kernel refuses
     * @throws IllegalStateException if closed
     */
    public ConnectionId createId(PortSpace space) {
        Objects.requireNonNull(space, "space");
        lifetime.acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment idPointer = arena.allocate(ValueLayout.ADDRESS);
            Refusals.check(
                    "rdma_create_id",
                    RdmaCm.rdma_create_id(handle, idPointer, MemorySegment.NULL, space.raw()),
                    "an identifier for " + space);
            return new ConnectionId(this, idPointer.get(ValueLayout.ADDRESS, 0), space, "connection");
        } finally {
            lifetime.release();
        }
    }

    /**
     * Waits for the next event of any identifier of this channel ({@code rdma_get_cm_event(3)}). Several threads may
     * wait; each event goes to one of them. The wait cannot be interrupted; {@link #wakeUp()} and {@link #close()} end
     * it.
     *
     * @param timeout how long to wait at most; 0 only looks
     * @param unit its unit; the resolution is a millisecond, rounded up
     * @return the event, or null at the time limit, when woken up, or when another thread was faster
     * @throws VerbsException if the event cannot be read
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if closed
     */
    public ConnectionEvent await(long timeout, TimeUnit unit) {
        Checks.range("timeout", timeout, 0, Long.MAX_VALUE, "0 only looks");
        Objects.requireNonNull(unit, "unit");
        lifetime.acquire();
        try {
            return wait.await(unit.toNanos(timeout)) ? takeEvent() : null;
        } finally {
            lifetime.release();
        }
    }

    /**
     * Makes one {@link #await} return null: one that waits now, or the next.
     *
     * @throws IllegalStateException if closed
     */
    public void wakeUp() {
        lifetime.acquire();
        try {
            wait.wake();
        } finally {
            lifetime.release();
        }
    }

    /**
     * Closes the identifiers of this channel, then the channel; events that nobody has taken are dropped. Idempotent;
     * any thread; ends all waits.
     *
     * @throws VerbsException if the kernel refuses to give an identifier up; close can be repeated
     */
    @Override
    public void close() {
        lifetime.close();
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }

    Lifetime lifetime() {
        return lifetime;
    }

    void register(long address, ConnectionId id) {
        ids.put(address, id);
    }

    /** The address may have been given to a new identifier in the meantime, which stays. */
    void unregister(long address, ConnectionId id) {
        ids.remove(address, id);
    }

    /**
     * One thread at a time takes an event, copies and acknowledges it. An identifier that is being destroyed waits in C
     * until its events are acknowledged, so nothing in between may wait for a close.
     */
    private ConnectionEvent takeEvent() {
        eventLock.lock();
        try {
            if (RdmaCm.rdma_get_cm_event(handle, eventPointer) != 0) {
                return nothingUnlessFailed();
            }
            MemorySegment event = Pointers.view(eventPointer.get(ValueLayout.ADDRESS, 0), rdma_cm_event.sizeof());
            try {
                return copy(event);
            } finally {
                RdmaCm.rdma_ack_cm_event(event);
            }
        } finally {
            eventLock.unlock();
        }
    }

    private ConnectionEvent nothingUnlessFailed() {
        if (Errno.captured() == libc.EAGAIN()) {
            return null;
        }
        throw Refusals.refused("rdma_get_cm_event", "reading an event");
    }

    private ConnectionEvent copy(MemorySegment event) {
        int rawType = rdma_cm_event.event(event);
        ConnectionEventType type = ConnectionEventType.of(rawType);
        ConnectionId listener = null;
        ConnectionId id;
        if (type == ConnectionEventType.CONNECT_REQUEST) {
            listener = known(rdma_cm_event.listen_id(event));
            id = new ConnectionId(this, rdma_cm_event.id(event), listener.portSpace(), "requested connection");
        } else {
            id = known(rdma_cm_event.id(event));
        }
        id.refreshDevice();
        ConnectionEvent.Details details = EventReader.details(event, type, id.portSpace());
        return new ConnectionEvent(rawType, EventReader.status(event, type), id, listener, details);
    }

    private ConnectionId known(MemorySegment pointer) {
        ConnectionId id = ids.get(pointer.address());
        if (id == null) {
            throw new IllegalStateException("an event for an identifier that " + lifetime + " does not know");
        }
        return id;
    }

    private EventWait startWait() {
        try {
            return EventWait.on(rdma_event_channel.fd(handle));
        } catch (RuntimeException failure) {
            RdmaCm.rdma_destroy_event_channel(handle);
            throw failure;
        }
    }

    /** The library says ENODEV both for a kernel without the module and for a machine without devices. */
    private static VerbsException withoutDevice(int errno) {
        if (errno == libc.ENODEV() || errno == libc.ENOENT() || errno == libc.ENOSYS()) {
            return new VerbsException(
                    "rdma_create_event_channel",
                    errno,
                    "an event channel",
                    "Check that the machine has an RDMA device (rdma link show), that module rdma_ucm is loaded"
                            + " (modprobe rdma_ucm), and that /dev/infiniband/rdma_cm exists in this container.");
        }
        return Refusals.of("rdma_create_event_channel", errno, "an event channel");
    }

    private void destroy() {
        wait.close();
        RdmaCm.rdma_destroy_event_channel(handle);
    }
}

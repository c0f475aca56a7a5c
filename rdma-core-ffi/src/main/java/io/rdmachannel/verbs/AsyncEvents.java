// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.DeviceCalls;
import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.EventWait;
import io.rdmachannel.ffi.generated.ibverbs.ibv_async_event;
import io.rdmachannel.ffi.generated.libc.libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Reads the asynchronous events of one context, and knows which Java object an address in them means. */
final class AsyncEvents {
    private final String deviceName;
    private final MemorySegment context;
    private final EventWait wait;
    private final Map<Long, AutoCloseable> elements = new ConcurrentHashMap<>();

    AsyncEvents(String deviceName, MemorySegment context, EventWait wait) {
        this.deviceName = deviceName;
        this.context = context;
        this.wait = wait;
    }

    void register(long address, AutoCloseable element) {
        elements.put(address, element);
    }

    void unregister(long address, AutoCloseable element) {
        elements.remove(address, element);
    }

    /** Returns null at the time limit, when woken, and when another thread took the event first. */
    AsyncEvent await(long timeoutNanos) {
        if (!wait.await(timeoutNanos)) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = ibv_async_event.allocate(arena);
            if (DeviceCalls.ibv_get_async_event(context, event) != 0) {
                return nothingUnlessFailed();
            }
            // The element stays valid until the acknowledgement, for which destroying it waits, unless
            // RDMAV_ALLOW_DISASSOC_DESTROY is set (ibv_open_device(3)).
            try {
                return read(event);
            } finally {
                DeviceCalls.ibv_ack_async_event(event);
            }
        }
    }

    void wake() {
        wait.wake();
    }

    void close() {
        wait.close();
    }

    private AsyncEvent nothingUnlessFailed() {
        int errno = Errno.captured();
        if (errno == libc.EAGAIN()) {
            return null;
        }
        throw new VerbsException("ibv_get_async_event", errno, "reading an event of " + deviceName, "");
    }

    private AsyncEvent read(MemorySegment event) {
        int raw = ibv_async_event.event_type(event);
        AsyncEventType type = AsyncEventType.of(raw);
        MemorySegment element = ibv_async_event.element(event);
        return switch (type.scope()) {
            case PORT -> new AsyncEvent(type, raw, ibv_async_event.element.port_num(element), Optional.empty());
            case QUEUE_PAIR, COMPLETION_QUEUE, SHARED_RECEIVE_QUEUE ->
                new AsyncEvent(type, raw, 0, elementAt(ibv_async_event.element.qp(element)));
            default -> new AsyncEvent(type, raw, 0, Optional.empty());
        };
    }

    private Optional<AutoCloseable> elementAt(MemorySegment pointer) {
        return Optional.ofNullable(elements.get(pointer.address()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.CompletionCalls;
import io.rdmachannel.ffi.Errno;
import io.rdmachannel.ffi.EventWait;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.generated.ibverbs.ibv_comp_channel;
import io.rdmachannel.ffi.generated.libc.libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where completion queues announce that something has completed ({@code ibv_create_comp_channel(3)}), so that a thread
 * can sleep instead of polling.
 *
 * <p>The order that loses no wake-up: {@link CompletionQueue#requestNotification}, poll until empty, and only then
 * {@link #await}; after it, request the next notification, and poll until empty again. A notification is given once per
 * request.
 *
 * <p>Any thread may call. Only {@link #await} blocks. Events are acknowledged by this class, in batches.
 */
public final class CompletionChannel implements AutoCloseable {
    private final DeviceContext context;
    private final MemorySegment handle;
    private final EventWait wait;
    private final MemorySegment eventPointers = Arena.ofAuto().allocate(ValueLayout.ADDRESS, 2);
    private final List<CompletionQueue> queues = new CopyOnWriteArrayList<>();
    private final ReentrantLock eventLock = new ReentrantLock();
    private final Lifetime lifetime;

    CompletionChannel(DeviceContext context) {
        this.context = context;
        context.lifetime().acquire();
        try {
            MemorySegment pointer = CompletionCalls.ibv_create_comp_channel(context.handle());
            this.handle = Pointers.view(
                    Results.checkPointer(
                            "ibv_create_comp_channel",
                            pointer,
                            "a completion channel on " + context.device().name(),
                            "EMFILE: raise the limit on open files (ulimit -n)."),
                    ibv_comp_channel.sizeof());
            this.wait = startWait();
            this.lifetime = Lifetime.of(
                            "completion channel of " + context.device().name(), CloseOrder.COMPLETION_CHANNEL)
                    .childOf(context.lifetime())
                    .wakingBy(wait::wake)
                    .destroyedBy(this::destroy)
                    .begin();
        } finally {
            context.lifetime().release();
        }
    }

    /**
     * Gives the context that the channel was made in.
     *
     * @return the context
     */
    public DeviceContext context() {
        return context;
    }

    /**
     * Waits until a completion queue of this channel announces a completion ({@code ibv_get_cq_event(3)}). Several
     * threads may wait; each announcement goes to one of them. The wait cannot be interrupted; {@link #wakeUp()} and
     * {@link #close()} end it.
     *
     * @param timeout how long to wait at most; 0 only looks
     * @param unit its unit; the resolution is a millisecond, rounded up
     * @return the queue that announced, or null at the time limit, when woken up, or when another thread was faster
     * @throws VerbsException if the event cannot be read
     * @throws IllegalStateException if closed
     */
    public CompletionQueue await(long timeout, TimeUnit unit) {
        Ranges.require("timeout", timeout, 0, Long.MAX_VALUE);
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
     * Closes the completion queues of this channel, then the channel. Idempotent; any thread; ends all waits.
     *
     * @throws WrongThreadException if a queue on it is confined to another living thread; nothing is closed then
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

    void register(CompletionQueue queue) {
        queues.add(queue);
    }

    /**
     * Destroys a queue while no event can be taken: destruction waits until every event taken has been acknowledged,
     * so an event taken in between would make it wait for ever.
     */
    void destroyUnderLock(CompletionQueue queue, Runnable destruction) {
        eventLock.lock();
        try {
            destruction.run();
            queues.remove(queue);
        } finally {
            eventLock.unlock();
        }
    }

    /**
     * Counts one queue less, which the kernel had destroyed before: libibverbs does so only where destroying succeeds,
     * and closes no channel that has queues. Under the lock.
     */
    void forget() {
        ibv_comp_channel.refcnt(handle, ibv_comp_channel.refcnt(handle) - 1);
    }

    private CompletionQueue takeEvent() {
        eventLock.lock();
        try {
            MemorySegment contextPointer = eventPointers.asSlice(ValueLayout.ADDRESS.byteSize());
            if (CompletionCalls.ibv_get_cq_event(handle, eventPointers, contextPointer) != 0) {
                return nothingUnlessFailed();
            }
            long address = eventPointers.get(ValueLayout.ADDRESS, 0).address();
            CompletionQueue queue = queueAt(address);
            queue.countEvent();
            return queue;
        } finally {
            eventLock.unlock();
        }
    }

    private CompletionQueue nothingUnlessFailed() {
        int errno = Errno.captured();
        if (errno == libc.EAGAIN()) {
            return null;
        }
        throw new VerbsException("ibv_get_cq_event", errno, "reading an event of " + lifetime, "");
    }

    private CompletionQueue queueAt(long address) {
        for (int i = 0; i < queues.size(); i++) {
            CompletionQueue queue = queues.get(i);
            if (queue.handle().address() == address) {
                return queue;
            }
        }
        throw new IllegalStateException("an event for a completion queue that " + lifetime + " does not know");
    }

    private EventWait startWait() {
        try {
            return EventWait.on(ibv_comp_channel.fd(handle));
        } catch (RuntimeException failure) {
            CompletionCalls.ibv_destroy_comp_channel(handle);
            throw failure;
        }
    }

    private void destroy() {
        Results.check(
                "ibv_destroy_comp_channel",
                CompletionCalls.ibv_destroy_comp_channel(handle),
                "closing " + lifetime,
                "EBUSY: a completion queue still reports to it.");
        wait.close();
    }
}

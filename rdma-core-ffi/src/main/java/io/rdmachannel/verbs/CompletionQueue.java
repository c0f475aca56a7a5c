// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.CompletionCalls;
import io.rdmachannel.ffi.DataPath;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.generated.ibverbs.ibv_cq;
import java.lang.foreign.MemorySegment;

/**
 * Where finished work is told ({@code ibv_create_cq(3)}).
 *
 * <p>Nobody but the program can prevent an overrun: the capacity must cover all work that can be outstanding on the
 * queue pairs attached, or completions are lost and the queue fails. Closing it closes the queue pairs attached to it
 * first. {@link ThreadSharing} of its configuration says which threads may call. No call here blocks.
 */
public final class CompletionQueue implements AutoCloseable {
    private static final int EVENTS_PER_ACKNOWLEDGEMENT = 64;

    private final DeviceContext context;
    private final CompletionChannel channel;
    private final MemorySegment handle;
    private final long address;
    private final MemorySegment pollFunction;
    private final MemorySegment notifyFunction;
    private final Lifetime lifetime;
    private int unacknowledged;

    CompletionQueue(DeviceContext context, CompletionQueueConfig config) {
        this.context = context;
        this.channel = config.channel();
        this.pollFunction = context.ops().pollCompletionQueue();
        this.notifyFunction = context.ops().requestNotification();
        requireSameContext();
        Lifetime parent = channel == null ? context.lifetime() : channel.lifetime();
        context.lifetime().acquire();
        try {
            parent.acquire();
            try {
                this.handle = Pointers.view(create(config), ibv_cq.sizeof());
                this.address = handle.address();
                this.lifetime = begin(config, parent);
            } finally {
                parent.release();
            }
        } finally {
            context.lifetime().release();
        }
    }

    /**
     * Takes finished work from the queue ({@code ibv_poll_cq(3)}). Part of the data path: it allocates nothing.
     *
     * @param completions where they are written, up to its capacity; what it held before is gone
     * @return how many were taken; 0 when none is there; negative when the queue has failed and must be closed
     * @throws IllegalStateException if closed
     * @throws WrongThreadException if confined to another thread
     */
    public int poll(WorkCompletions completions) {
        lifetime.enter();
        try {
            int count = DataPath.poll_cq(pollFunction, address, completions.capacity(), completions.address());
            completions.filled(count);
            return count;
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Asks for one announcement on the channel when the next completion arrives ({@code ibv_req_notify_cq(3)}).
     * Completions that are there already may not be announced: poll once more after this call and before waiting.
     *
     * @param solicitedOnly true to be told only of receives that the sender marked, and of errors
     * @throws IllegalStateException if closed, or made without a channel
     * @throws WrongThreadException if confined to another thread
     * @throws VerbsException if the device refuses
     */
    public void requestNotification(boolean solicitedOnly) {
        if (channel == null) {
            throw new IllegalStateException(
                    lifetime + " has no completion channel; name one in its CompletionQueueConfig");
        }
        lifetime.enter();
        try {
            Results.check(
                    "ibv_req_notify_cq",
                    DataPath.req_notify_cq(notifyFunction, address, solicitedOnly ? 1 : 0),
                    "a notification of " + lifetime,
                    "");
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Changes the capacity ({@code ibv_resize_cq(3)}); completions that are there stay.
     *
     * @param capacity how many completions must fit, at least 1 and not fewer than are there now
     * @throws IllegalArgumentException if not positive
     * @throws VerbsException if the device refuses
     * @throws IllegalStateException if closed
     * @throws WrongThreadException if confined to another thread
     */
    public void resize(int capacity) {
        Ranges.require("capacity", capacity, 1, Integer.MAX_VALUE);
        lifetime.enter();
        try {
            Results.check(
                    "ibv_resize_cq",
                    CompletionCalls.ibv_resize_cq(handle, capacity),
                    "a capacity of " + capacity + " for " + lifetime,
                    limits());
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Gives the granted capacity, which may be more than was asked for.
     *
     * @return how many completions fit
     * @throws IllegalStateException if closed
     */
    public int capacity() {
        lifetime.acquire();
        try {
            return ibv_cq.cqe(handle);
        } finally {
            lifetime.release();
        }
    }

    /**
     * Gives the context that the queue was made in.
     *
     * @return the context
     */
    public DeviceContext context() {
        return context;
    }

    /**
     * Gives a confined queue to another thread; see {@link ThreadSharing#CONFINED}.
     *
     * @param newOwner the thread that may use it from now on
     * @throws WrongThreadException if the caller is not the owner
     * @throws IllegalStateException if closed or shared
     */
    public void handOver(Thread newOwner) {
        lifetime.handOver(newOwner);
    }

    /**
     * Closes the queue pairs attached, then the queue. Idempotent.
     *
     * @throws WrongThreadException if this or a queue pair attached is confined to another living thread
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

    /** Called under the channel's event lock. Acknowledging takes a mutex that destruction also takes: not for each. */
    void countEvent() {
        unacknowledged++;
        if (unacknowledged >= EVENTS_PER_ACKNOWLEDGEMENT) {
            acknowledge();
        }
    }

    private void acknowledge() {
        if (unacknowledged > 0) {
            CompletionCalls.ibv_ack_cq_events(handle, unacknowledged);
            unacknowledged = 0;
        }
    }

    private void requireSameContext() {
        if (channel != null && channel.context() != context) {
            throw new IllegalArgumentException("the completion channel belongs to " + channel.context()
                    + ", and the queue is made in " + context + "; make both in one context");
        }
    }

    private MemorySegment create(CompletionQueueConfig config) {
        MemorySegment pointer = CompletionCalls.ibv_create_cq(
                context.handle(),
                config.capacity(),
                MemorySegment.NULL,
                channel == null ? MemorySegment.NULL : channel.handle(),
                config.completionVector());
        return Results.checkPointer(
                "ibv_create_cq",
                pointer,
                "a completion queue for " + config.capacity() + " completions on vector " + config.completionVector()
                        + " of " + context.device().name(),
                Pointers.isNull(pointer) ? limits() : "");
    }

    private String limits() {
        return "The device allows " + context.attributes().queueLimits().maxCompletionQueueEntries()
                + " completions a queue.";
    }

    private Lifetime begin(CompletionQueueConfig config, Lifetime parent) {
        if (channel != null) {
            channel.register(this);
        }
        context.asyncEvents().register(address, this);
        Lifetime.Builder builder =
                Lifetime.of("completion queue of " + context.device().name(), CloseOrder.COMPLETION_QUEUE);
        builder.childOf(parent).ownedBy(config.sharing().owner()).destroyedBy(this::destroy);
        return builder.begin();
    }

    private void destroy() {
        if (channel == null) {
            destroyHandle();
        } else {
            channel.destroyUnderLock(this, this::destroyHandle);
        }
        context.asyncEvents().unregister(address, this);
    }

    private void destroyHandle() {
        acknowledge();
        boolean before = context.checkDestroyed(
                "ibv_destroy_cq",
                CompletionCalls.ibv_destroy_cq(handle),
                lifetime,
                "EBUSY: a queue pair that was made outside this library still uses it.");
        if (before && channel != null) {
            channel.forget();
        }
    }
}

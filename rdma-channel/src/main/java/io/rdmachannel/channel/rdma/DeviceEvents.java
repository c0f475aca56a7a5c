// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.verbs.AsyncEvent;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.RdmaException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for what a device tells outside the order of work, in a thread of its own, and keeps it for the event loop's
 * thread.
 */
final class DeviceEvents {
    private static final Logger LOGGER = LoggerFactory.getLogger(DeviceEvents.class);
    /** How often is looked whether the device is still there, since not every driver tells of its removal. */
    private static final long TURN_SECONDS = 1;

    private final DeviceContext context;
    private final Runnable wake;
    private final ConcurrentLinkedQueue<AsyncEvent> told = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    /** Looked at in every poll, which a queue would be too dear for. */
    private volatile boolean pending;

    private volatile boolean removed;

    /**
     * Begins.
     *
     * @param context the device, whose closing ends this
     * @param wake called when there is something, in this thread
     */
    DeviceEvents(DeviceContext context, Runnable wake) {
        this.context = context;
        this.wake = wake;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("rdma-channel-events-" + context.device().name())
                .start(this::run);
    }

    boolean arePending() {
        return pending;
    }

    /** Whether the kernel does not show the device any more. */
    boolean isRemoved() {
        return removed;
    }

    /** Gives the next event; null when there is none. */
    AsyncEvent next() {
        // Whoever adds one after this says so himself; to say that there is none would take his word back.
        pending = false;
        AsyncEvent event = told.poll();
        if (event != null) {
            pending = true;
        }
        return event;
    }

    /** Waits for the thread's end; the device is closed. */
    void join() {
        boolean interrupted = false;
        while (thread.isAlive() && thread != Thread.currentThread()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        if (!removed && !context.isPresent()) {
            removed = true;
            pending = true;
            wake.run();
        }
    }

    private void run() {
        try {
            while (true) {
                AsyncEvent event = context.awaitAsyncEvent(TURN_SECONDS, TimeUnit.SECONDS);
                if (event != null) {
                    told.add(event);
                    pending = true;
                    wake.run();
                }
                look();
            }
        } catch (IllegalStateException closed) {
            LOGGER.trace("{} is closed", context.device().name());
        } catch (RdmaException failed) {
            LOGGER.warn("{} tells no events any more: {}", context.device().name(), failed.getMessage());
            look();
        }
    }
}

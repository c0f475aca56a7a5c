// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sleeps at a second source on behalf of an event loop that sleeps at its first one: a selector and a completion
 * channel cannot be waited for in one call. Takes part in sleeping only, so a loop that is busy does not notice it.
 */
final class Watcher {
    private static final Logger LOGGER = LoggerFactory.getLogger(EventLoop.class);
    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final LinkSource source;
    private final LinkSource first;
    private final Semaphore asked = new Semaphore(0);
    private final Thread thread;
    private volatile boolean watching;
    private volatile boolean closed;

    Watcher(LinkSource source, LinkSource first) {
        this.source = source;
        this.first = first;
        this.thread = Thread.ofPlatform().daemon().name("rdma-channel-watcher").start(this::run);
    }

    /** From now on an event of the source wakes the loop, once; the source is armed already. */
    void watch() {
        if (!watching) {
            watching = true;
            asked.release();
        }
    }

    /** Ends; when it returns the source is not awaited any more. */
    void close() {
        closed = true;
        asked.release();
        boolean interrupted = false;
        while (thread.isAlive()) {
            source.wakeUp();
            try {
                thread.join(1);
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            asked.acquireUninterruptibly();
            try {
                if (!closed) {
                    source.await(TURN_NANOS);
                }
            } catch (RuntimeException failed) {
                LOGGER.error("waiting for events failed", failed);
            }
            watching = false;
            first.wakeUp();
        }
    }
}

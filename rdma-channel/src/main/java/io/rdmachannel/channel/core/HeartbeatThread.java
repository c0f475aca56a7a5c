// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The thread of the process that has heartbeats sent, and those that send them: neither data nor handlers nor virtual
 * threads keep them from running. A beat that has to wait, for a peer that does not read, holds up no other
 * connection's. They end when no channel has needed them for a while.
 */
final class HeartbeatThread {
    private static final long IDLE_SECONDS = 5;
    private static final ScheduledThreadPoolExecutor CLOCK = clock();
    private static final ThreadPoolExecutor SENDERS = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("rdma-channel-heartbeat-", 0).factory());

    private HeartbeatThread() {}

    /** Has a heartbeat sent again and again, until the future is cancelled; none while the one before still waits. */
    static ScheduledFuture<?> every(long nanos, Runnable beat) {
        AtomicBoolean waits = new AtomicBoolean();
        Runnable guarded = () -> {
            try {
                beat.run();
            } finally {
                waits.set(false);
            }
        };
        return CLOCK.scheduleAtFixedRate(
                () -> {
                    if (waits.compareAndSet(false, true)) {
                        SENDERS.execute(guarded);
                    }
                },
                nanos,
                nanos,
                TimeUnit.NANOSECONDS);
    }

    private static ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("rdma-channel-heartbeat").factory());
        clock.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        clock.allowCoreThreadTimeOut(true);
        clock.setRemoveOnCancelPolicy(true);
        return clock;
    }
}

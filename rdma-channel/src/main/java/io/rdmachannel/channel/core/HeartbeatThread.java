// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one thread of the process that sends heartbeats: neither data nor handlers nor virtual threads keep it from
 * running. It ends when no channel has needed it for a while.
 */
final class HeartbeatThread {
    private static final long IDLE_SECONDS = 5;
    private static final ScheduledThreadPoolExecutor EXECUTOR = executor();

    private HeartbeatThread() {}

    /** Has a heartbeat sent again and again, until the future is cancelled. */
    static ScheduledFuture<?> every(long nanos, Runnable beat) {
        return EXECUTOR.scheduleAtFixedRate(beat, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private static ScheduledThreadPoolExecutor executor() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("rdma-channel-heartbeat").factory());
        executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }
}

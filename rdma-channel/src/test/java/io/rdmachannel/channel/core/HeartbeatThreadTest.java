// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.Deadline;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeartbeatThreadTest {
    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(5);

    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger blocked = new AtomicInteger();
    private final AtomicInteger others = new AtomicInteger();

    @Test
    void shouldBeatForOthersWhileOnePeerDoesNotRead() throws Exception {
        ScheduledFuture<?> stuck = HeartbeatThread.every(INTERVAL, this::block);
        ScheduledFuture<?> free = HeartbeatThread.every(INTERVAL, others::incrementAndGet);
        try {
            Deadline.usual().await("one waits", () -> blocked.get() == 1);
            int before = others.get();
            Deadline.usual().await("the other goes on", () -> others.get() > before + 10);
            assertThat(blocked).as("beats behind the one that waits").hasValue(1);
            released.countDown();
            Deadline.usual().await("it beats again", () -> blocked.get() > 1);
        } finally {
            released.countDown();
            stuck.cancel(false);
            free.cancel(false);
        }
    }

    private void block() {
        blocked.incrementAndGet();
        try {
            released.await();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }
}

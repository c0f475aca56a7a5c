// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RdmaTest
class CompletionChannelCloseIT {
    private static final int REPEATS = 50;
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private ConnectedPair pair;

    @BeforeEach
    void connect() {
        pair = ConnectedPair.open(PairOptions.usual());
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void shouldCloseAQueueWhoseEventsWereTakenButNotAcknowledged() {
        for (int i = 0; i < REPEATS; i++) {
            CompletionChannel channel = pair.context().createCompletionChannel();
            ConnectedQueues queues = ConnectedQueues.on(pair, channel);
            queues.sendOnBoth();
            assertThat(channel.await(20, TimeUnit.SECONDS)).isNotNull();
            assertThat(channel.await(20, TimeUnit.SECONDS)).isNotNull();

            assertClosesSoon(queues);
            assertClosesSoon(channel);
        }
    }

    @Test
    void shouldCloseAQueueWithEventsUnreadAndServeTheOther() {
        for (int i = 0; i < REPEATS; i++) {
            CompletionChannel channel = pair.context().createCompletionChannel();
            ConnectedQueues closed = ConnectedQueues.on(pair, channel);
            ConnectedQueues kept = ConnectedQueues.on(pair, channel);
            closed.sendOnBoth();
            awaitCompletions(closed);

            assertClosesSoon(closed);

            kept.sendOnBoth();
            assertThat(channel.await(20, TimeUnit.SECONDS)).isIn(kept.first(), kept.second());
            assertClosesSoon(channel);
        }
    }

    @Test
    void shouldCloseAQueueWhileAnotherThreadWaits() {
        try (CompletionChannel channel = pair.context().createCompletionChannel()) {
            Thread waiter = waiterOn(channel);
            for (int i = 0; i < REPEATS; i++) {
                ConnectedQueues queues = ConnectedQueues.on(pair, channel);
                queues.sendOnBoth();
                assertClosesSoon(queues);
            }
            assertThat(waiter.isAlive()).isTrue();
            assertClosesSoon(channel);
            Deadline.usual().awaitEnd(waiter);
        }
    }

    @Test
    void shouldEndAWaitWhenTheChannelIsClosed() {
        for (int i = 0; i < REPEATS; i++) {
            CompletionChannel channel = pair.context().createCompletionChannel();
            Thread waiter = waiterOn(channel);
            ConnectedQueues queues = ConnectedQueues.on(pair, channel);
            queues.sendOnBoth();

            assertClosesSoon(channel);

            Deadline.usual().awaitEnd(waiter);
        }
    }

    @Test
    void shouldEndSeveralWaitsWhenTheContextIsClosed() {
        DeviceContext context = pair.device().open();
        CompletionChannel channel = context.createCompletionChannel();
        Thread first = waiterOn(channel);
        Thread second = waiterOn(channel);
        Thread third = Thread.ofPlatform().start(() -> awaitAsyncEventsUntilClosed(context));

        assertClosesSoon(context);

        Deadline deadline = Deadline.usual();
        deadline.awaitEnd(first);
        deadline.awaitEnd(second);
        deadline.awaitEnd(third);
    }

    /** Waits for events until the channel is closed. */
    private static Thread waiterOn(CompletionChannel channel) {
        CountDownLatch started = new CountDownLatch(1);
        AtomicReference<RuntimeException> other = new AtomicReference<>();
        Thread waiter = Thread.ofPlatform().name("waiter").start(() -> {
            started.countDown();
            try {
                while (other.get() == null) {
                    channel.await(60, TimeUnit.SECONDS);
                }
            } catch (IllegalStateException expected) {
                other.set(expected);
            }
        });
        try {
            assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        return waiter;
    }

    private static void awaitAsyncEventsUntilClosed(DeviceContext context) {
        try {
            while (true) {
                context.awaitAsyncEvent(60, TimeUnit.SECONDS);
            }
        } catch (IllegalStateException expected) {
            // Closed.
        }
    }

    private static void awaitCompletions(ConnectedQueues queues) {
        WorkCompletions room = WorkCompletions.ofCapacity(4);
        Deadline deadline = Deadline.usual();
        deadline.await("a send", () -> queues.first().poll(room) > 0);
        deadline.await("a receive", () -> queues.second().poll(room) > 0);
    }

    private static void assertClosesSoon(AutoCloseable closeable) {
        long start = System.nanoTime();
        try {
            closeable.close();
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
        assertThat(System.nanoTime() - start).isLessThan(LONGEST_NANOS);
    }
}

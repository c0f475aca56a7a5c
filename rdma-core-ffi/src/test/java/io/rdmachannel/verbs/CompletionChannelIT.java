// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RdmaTest
class CompletionChannelIT {
    private static final int ROUND_TRIPS = 2_000;
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private ConnectedPair pair;
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        // Two threads that answer each other may send before the other one has posted its first receive.
        pair = ConnectedPair.open(PairOptions.usual().withChannel().rnrRetry(7));
        left = pair.left();
        right = pair.right();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void shouldAnnounceTheQueueThatCompleted() {
        right.completions().requestNotification(false);
        sendEmpty();

        assertThat(right.channel().await(20, TimeUnit.SECONDS)).isSameAs(right.completions());
        assertThat(right.next().opcode()).isEqualTo(WorkCompletionOpcode.RECEIVE);
    }

    @Test
    void shouldAnnounceOncePerRequest() {
        right.completions().requestNotification(false);
        sendEmpty();
        sendEmpty();

        assertThat(right.next(2)).hasSize(2);
        assertThat(right.channel().await(20, TimeUnit.SECONDS)).isSameAs(right.completions());
        assertThat(right.channel().await(20, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void shouldAnnounceNothingWithoutARequest() {
        sendEmpty();

        assertThat(right.next()).isNotNull();
        assertThat(right.channel().await(0, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void shouldAnnounceSolicitedCompletionsOnly() {
        right.completions().requestNotification(true);
        sendEmpty();
        assertThat(right.next()).isNotNull();
        assertThat(right.channel().await(20, TimeUnit.MILLISECONDS)).isNull();

        right.receive(1, 0, 8);
        left.begin(WorkRequestOpcode.SEND, 1).flag(0, SendFlag.SOLICITED);
        left.post();

        assertThat(right.channel().await(20, TimeUnit.SECONDS)).isSameAs(right.completions());
    }

    @Test
    void shouldServeSeveralQueuesOnOneChannel() {
        CompletionChannel channel = pair.context().createCompletionChannel();
        try (ConnectedQueues queues = ConnectedQueues.on(pair, channel)) {
            queues.sendOnBoth();

            CompletionQueue first = channel.await(20, TimeUnit.SECONDS);
            CompletionQueue second = channel.await(20, TimeUnit.SECONDS);

            assertThat(new CompletionQueue[] {first, second})
                    .containsExactlyInAnyOrder(queues.first(), queues.second());
        }
        channel.close();
    }

    @Test
    void shouldLoseNoWakeUpInManyRoundTrips() {
        CompletableFuture<Long> answering = CompletableFuture.supplyAsync(() -> exchange(right, false));
        long longest = exchange(left, true);

        assertThat(longest).isLessThan(LONGEST_NANOS);
        assertThat(answering.orTimeout(60, TimeUnit.SECONDS).join()).isLessThan(LONGEST_NANOS);
    }

    @Test
    void shouldReturnNothingAtTheTimeLimit() {
        long start = System.nanoTime();

        assertThat(left.channel().await(30, TimeUnit.MILLISECONDS)).isNull();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
    }

    @Test
    void shouldWakeAWaiterUp() {
        AtomicReference<Object> returned = new AtomicReference<>("nothing yet");
        Thread waiter = Thread.ofPlatform()
                .start(() -> returned.set(left.channel().await(Long.MAX_VALUE, TimeUnit.NANOSECONDS)));

        left.channel().wakeUp();

        Deadline.usual().awaitEnd(waiter);
        assertThat(returned.get()).isNull();
    }

    @Test
    void shouldRefuseANotificationOfAQueueWithoutAChannel() {
        CompletionQueue silent = pair.context().createCompletionQueue(CompletionQueueConfig.ofCapacity(8));

        assertThatThrownBy(() -> silent.requestNotification(false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("channel");
    }

    @Test
    void shouldRefuseTheChannelOfAnotherContext() {
        try (DeviceContext other = pair.device().open()) {
            CompletionQueueConfig config = CompletionQueueConfig.ofCapacity(8).on(left.channel());

            assertThatThrownBy(() -> other.createCompletionQueue(config))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("context");
        }
    }

    /** Sends and receives in turn, sleeping on the channel; returns the longest wait. */
    private static long exchange(Endpoint endpoint, boolean first) {
        long longest = 0;
        endpoint.completions().requestNotification(false);
        endpoint.receive(0, 0, 8);
        WorkCompletions polled = WorkCompletions.ofCapacity(8);
        int received = 0;
        if (first) {
            sendUnsignaled(endpoint, 0);
        }
        while (received < ROUND_TRIPS) {
            long start = System.nanoTime();
            int arrived = awaitReceives(endpoint, polled);
            longest = Math.max(longest, System.nanoTime() - start);
            for (int i = 0; i < arrived; i++) {
                received++;
                endpoint.receive(received, 0, 8);
                if (!first || received < ROUND_TRIPS) {
                    sendUnsignaled(endpoint, received);
                }
            }
        }
        return longest;
    }

    /** Arm, poll until empty, and only then wait. */
    private static int awaitReceives(Endpoint endpoint, WorkCompletions polled) {
        Deadline deadline = Deadline.usual();
        while (!deadline.isOver()) {
            int receives = pollReceives(endpoint, polled);
            if (receives > 0) {
                return receives;
            }
            if (endpoint.channel().await(5, TimeUnit.SECONDS) != null) {
                endpoint.completions().requestNotification(false);
            }
        }
        throw new AssertionError("no message came in time");
    }

    private static int pollReceives(Endpoint endpoint, WorkCompletions polled) {
        int receives = 0;
        for (int count = endpoint.completions().poll(polled);
                count > 0;
                count = endpoint.completions().poll(polled)) {
            for (int i = 0; i < count; i++) {
                receives += polled.opcode(i).isReceive() ? 1 : 0;
            }
        }
        return receives;
    }

    /** Signaled now and then only, so that the send queue gets free. */
    private static void sendUnsignaled(Endpoint endpoint, int number) {
        endpoint.sends().begin(0, WorkRequestOpcode.SEND, number, number % 8 == 0);
        endpoint.post();
    }

    private void sendEmpty() {
        right.receive(0, 0, 8);
        left.begin(WorkRequestOpcode.SEND, 0);
        left.post();
        assertThat(left.next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
    }
}

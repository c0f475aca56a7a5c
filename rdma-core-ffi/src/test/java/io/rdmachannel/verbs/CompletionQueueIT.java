// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@RdmaTest
class CompletionQueueIT {
    @Test
    void shouldGrantAtLeastTheCapacityAskedFor() {
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().completions(100))) {
            assertThat(pair.left().completions().capacity()).isGreaterThanOrEqualTo(100);
            assertThat(pair.left().completions().context()).isSameAs(pair.context());
        }
    }

    @Test
    void shouldTakeNoMoreThanThereIsRoomFor() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            WorkCompletions room = WorkCompletions.ofCapacity(3);
            sendEmpty(pair, 5);

            Deadline.usual().await("the receiver's completions", () -> countOf(pair.right(), 5));
            assertThat(takeAll(pair.left().completions(), room)).containsExactly(3, 2);
            assertThat(pair.left().completions().poll(room)).isZero();
            assertThat(room.count()).isZero();
            assertThatThrownBy(() -> room.status(0)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldKeepCompletionsWhenResized() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            CompletionQueue queue = pair.left().completions();
            sendEmpty(pair, 8);
            assertThat(pair.right().next(8)).hasSize(8);
            int before = queue.capacity();

            queue.resize(1000);

            assertThat(queue.capacity()).isGreaterThanOrEqualTo(1000).isGreaterThan(before);
            assertThat(pair.left().next(8)).extracting(Completion::id).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
            sendEmpty(pair, 8);
            assertThat(pair.left().next(8)).hasSize(8);
        }
    }

    @Test
    void shouldRefuseToBecomeSmallerThanWhatItHolds() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            sendEmpty(pair, 8);
            assertThat(pair.right().next(8)).hasSize(8);

            assertThatThrownBy(() -> pair.left().completions().resize(1)).isInstanceOf(VerbsException.class);
            assertThat(pair.left().next(8)).hasSize(8);
        }
    }

    @Test
    void shouldNameTheLimitWhenTooMuchIsAskedFor() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            int limit = pair.context().attributes().queueLimits().maxCompletionQueueEntries();

            assertThatThrownBy(() -> pair.context().createCompletionQueue(CompletionQueueConfig.ofCapacity(limit + 1)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(Integer.toString(limit));
            assertThatThrownBy(() -> pair.left().completions().resize(limit + 1))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(Integer.toString(limit));
        }
    }

    @Test
    void shouldReportAnOverrunAsAnAsynchronousEvent() {
        PairOptions small = PairOptions.usual().completions(1);
        try (ConnectedPair pair = ConnectedPair.open(small)) {
            int room = pair.left().completions().capacity();
            for (int i = 0; i <= room + 1; i++) {
                pair.right().receive(i, 0, 8);
                pair.left().begin(WorkRequestOpcode.SEND, i);
                pair.left().post();
            }

            AsyncEvent event = awaitEvent(pair.context(), AsyncEventType.COMPLETION_QUEUE_ERROR);

            assertThat(event.element())
                    .get()
                    .isIn(pair.left().completions(), pair.right().completions());
            assertThat(Completion.drain(pair.left().completions())).hasSizeLessThanOrEqualTo(room);
        }
    }

    static AsyncEvent awaitEvent(DeviceContext context, AsyncEventType type) {
        Deadline deadline = Deadline.usual();
        List<AsyncEvent> others = new ArrayList<>();
        while (!deadline.isOver()) {
            AsyncEvent event = context.awaitAsyncEvent(100, TimeUnit.MILLISECONDS);
            if (event != null && event.type() == type) {
                return event;
            }
            if (event != null) {
                others.add(event);
            }
        }
        throw new AssertionError("no event " + type + ", only " + others);
    }

    private static void sendEmpty(ConnectedPair pair, int count) {
        for (int i = 0; i < count; i++) {
            pair.right().receive(i, 0, 8);
            pair.left().begin(WorkRequestOpcode.SEND, i);
            pair.left().post();
        }
    }

    private static boolean countOf(Endpoint endpoint, int count) {
        return endpoint.next(count).size() == count;
    }

    private static List<Integer> takeAll(CompletionQueue queue, WorkCompletions room) {
        List<Integer> counts = new ArrayList<>();
        Deadline deadline = Deadline.usual();
        deadline.await("five completions", () -> {
            int count = queue.poll(room);
            if (count > 0) {
                counts.add(count);
            }
            return counts.stream().mapToInt(Integer::intValue).sum() == 5;
        });
        return counts;
    }
}

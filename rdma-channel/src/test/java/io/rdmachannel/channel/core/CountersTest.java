// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.Submission;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CountersTest {
    private final Counters counters = new Counters();

    @Test
    void shouldKeepEachCountToItself() {
        for (ChannelCounter counter : ChannelCounter.values()) {
            counters.add(counter, counter.ordinal() + 1);
        }
        for (ChannelCounter counter : ChannelCounter.values()) {
            assertThat(counters.value(counter)).isEqualTo(counter.ordinal() + 1);
        }
        assertThat(counters.snapshot()).hasSize(ChannelCounter.values().length);
        assertThat(counters.snapshot()).containsEntry(ChannelCounter.SENT_BYTES, 2L);
    }

    @Test
    void shouldCountAnswersThatMakeOneTryAgainAndNoOthers() {
        for (Submission answer : Submission.values()) {
            counters.answered(answer);
        }
        assertThat(counters.snapshot().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(3);
        assertThat(counters.value(ChannelCounter.NO_CREDIT_ANSWERS)).isEqualTo(1);
        assertThat(counters.value(ChannelCounter.QUEUE_FULL_ANSWERS)).isEqualTo(1);
        assertThat(counters.value(ChannelCounter.POOL_EXHAUSTED_ANSWERS)).isEqualTo(1);
    }

    @Test
    void shouldLoseNothingThatSeveralThreadsCount() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int j = 0; j < 50_000; j++) {
                    counters.addFromAnyThread(ChannelCounter.BEGUN_HANDSHAKES, 1);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(counters.value(ChannelCounter.BEGUN_HANDSHAKES)).isEqualTo(200_000);
    }

    @Test
    void shouldSumUpChannelsThatAreThereAndThatWere() {
        LoopCounters loop = new LoopCounters();
        Counters other = new Counters();
        loop.add(counters);
        loop.add(other);
        counters.add(ChannelCounter.SENT_BYTES, 5);
        other.add(ChannelCounter.SENT_BYTES, 7);
        loop.own().count(ChannelCounter.POLLS);
        loop.remove(counters);

        assertThat(loop.value(ChannelCounter.SENT_BYTES)).isEqualTo(12);
        assertThat(loop.snapshot())
                .containsEntry(ChannelCounter.SENT_BYTES, 12L)
                .containsEntry(ChannelCounter.POLLS, 1L);
        assertThat(counters.value(ChannelCounter.SENT_BYTES)).isEqualTo(5);
    }

    @Test
    void shouldAddWhatAChannelCountsAfterItsEndAndNothingTwice() {
        LoopCounters loop = new LoopCounters();
        loop.add(counters);
        counters.add(ChannelCounter.FLUSHED_COMPLETIONS, 3);
        loop.remove(counters);
        loop.remove(counters);
        counters.add(ChannelCounter.FLUSHED_COMPLETIONS, 2);
        loop.remove(counters);

        assertThat(loop.value(ChannelCounter.FLUSHED_COMPLETIONS)).isEqualTo(5);
    }

    @Test
    void shouldNeverGoBackForWhoeverReadsWhileChannelsComeAndGo() throws InterruptedException {
        LoopCounters loop = new LoopCounters();
        AtomicBoolean over = new AtomicBoolean();
        List<String> steps = new ArrayList<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            long before = 0;
            while (!over.get()) {
                long now = loop.value(ChannelCounter.SENT_MESSAGES);
                if (now < before) {
                    steps.add(now + " after " + before);
                }
                before = now;
            }
        });
        for (int i = 0; i < 20_000; i++) {
            Counters channel = new Counters();
            loop.add(channel);
            channel.sent(10, false);
            channel.sent(10_000, true);
            loop.remove(channel);
        }
        over.set(true);
        reader.join();

        assertThat(steps).isEmpty();
        assertThat(loop.value(ChannelCounter.SENT_MESSAGES)).isEqualTo(40_000);
        assertThat(loop.value(ChannelCounter.ANNOUNCED_MESSAGES)).isEqualTo(20_000);
        assertThat(loop.value(ChannelCounter.SENT_BYTES)).isEqualTo(200_200_000);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static io.rdmachannel.channel.ChannelCounter.ACKNOWLEDGEMENT_FRAMES;
import static io.rdmachannel.channel.ChannelCounter.ANNOUNCED_MESSAGES;
import static io.rdmachannel.channel.ChannelCounter.ATOMIC_OPERATIONS;
import static io.rdmachannel.channel.ChannelCounter.BEGUN_HANDSHAKES;
import static io.rdmachannel.channel.ChannelCounter.FAILED_CHANNELS;
import static io.rdmachannel.channel.ChannelCounter.FETCHED_MESSAGES;
import static io.rdmachannel.channel.ChannelCounter.FLUSHED_COMPLETIONS;
import static io.rdmachannel.channel.ChannelCounter.NO_CREDIT_ANSWERS;
import static io.rdmachannel.channel.ChannelCounter.OPENED_CHANNELS;
import static io.rdmachannel.channel.ChannelCounter.POLLS;
import static io.rdmachannel.channel.ChannelCounter.POOL_EXHAUSTED_ANSWERS;
import static io.rdmachannel.channel.ChannelCounter.QUEUE_FULL_ANSWERS;
import static io.rdmachannel.channel.ChannelCounter.READ_BYTES;
import static io.rdmachannel.channel.ChannelCounter.READ_OPERATIONS;
import static io.rdmachannel.channel.ChannelCounter.RECEIVED_BYTES;
import static io.rdmachannel.channel.ChannelCounter.RECEIVED_IMMEDIATES;
import static io.rdmachannel.channel.ChannelCounter.RECEIVED_MESSAGES;
import static io.rdmachannel.channel.ChannelCounter.SENT_BYTES;
import static io.rdmachannel.channel.ChannelCounter.SENT_MESSAGES;
import static io.rdmachannel.channel.ChannelCounter.WRITE_BYTES;
import static io.rdmachannel.channel.ChannelCounter.WRITE_OPERATIONS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.mempool.Lease;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is counted over both transports. */
abstract class CounterCases extends ContractPair {
    private static final int LONG = 20_000;

    ChannelConfigBuilder left = ChannelConfig.builder();
    ChannelConfigBuilder right = ChannelConfig.builder();
    long poolMaxBytes = 512L << 20;

    abstract ChannelConfigBuilder over(ChannelConfigBuilder config);

    @Override
    ChannelPair.Setup setup() {
        InetAddress here = InetAddress.getLoopbackAddress();
        return new ChannelPair.Setup(here, CompletionMode.BUSY_POLL, over(left), over(right), poolMaxBytes, null);
    }

    @Test
    void shouldCountMessagesOfBothSidesAndTheirBytes() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofAuto().allocate(LONG);
        for (int i = 0; i < 10; i++) {
            assertThat(pair.left.send(memory, 0, 100, i)).isEqualTo(Submission.ACCEPTED);
        }
        assertThat(pair.left.send(List.of(memory.asSlice(0, 10), memory.asSlice(20, 5)), 10))
                .isEqualTo(Submission.ACCEPTED);
        OutgoingMessage claim = pair.left.claim(40);
        assertThat(claim.commit(30, 11)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.send(memory, 0, LONG, 12)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("all have ended", () -> atLeft.outcomes.size() == 13);

        assertThat(counted(pair.left.counters()))
                .containsEntry(SENT_MESSAGES, 13L)
                .containsEntry(SENT_BYTES, 1045L + LONG)
                .containsEntry(ANNOUNCED_MESSAGES, 1L)
                .doesNotContainKey(RECEIVED_MESSAGES);
        assertThat(counted(pair.right.counters()))
                .containsEntry(RECEIVED_MESSAGES, 13L)
                .containsEntry(RECEIVED_BYTES, 1045L + LONG)
                .containsEntry(FETCHED_MESSAGES, 1L)
                .doesNotContainKey(SENT_MESSAGES);
        assertThat(pair.right.counters().value(ACKNOWLEDGEMENT_FRAMES)).isBetween(1L, 20L);
    }

    @Test
    void shouldCountOneSidedOperationsAndTheirBytes() throws Exception {
        pair = open();
        RemoteRegion region = exposeAtRight("region", Arena.ofAuto().allocate(4096, 64), ALL);
        Lease memory = lease(4096);
        memory.length(64);
        assertThat(pair.left.write(memory, 0, region, 0, 1000, 0)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.write(List.of(memory, memory), region, 0, 1)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.writeWithImmediate(memory, 0, region, 0, 10, 7, 2)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.read(region, 0, memory, 0, 500, 3)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.read(region, 8, List.of(memory, memory), 4)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.compareAndSwap(region, 0, 0, 1, memory, 5)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.fetchAndAdd(region, 0, 1, memory, 6)).isEqualTo(Submission.ACCEPTED);
        var last = pair.left.async().fetchAndAdd(region, 0, 1).toCompletableFuture();
        pair.pollUntil("all have ended", () -> atLeft.outcomes.size() == 7 && last.isDone());
        pair.pollUntil("the peer was told", () -> atRight.immediates.size() == 1);
        memory.release();

        assertThat(counted(pair.left.counters()))
                .containsEntry(WRITE_OPERATIONS, 3L)
                .containsEntry(WRITE_BYTES, 1000L + 128 + 10)
                .containsEntry(READ_OPERATIONS, 2L)
                .containsEntry(READ_BYTES, 500L + 128)
                .containsEntry(ATOMIC_OPERATIONS, 3L)
                .doesNotContainKey(SENT_MESSAGES);
        assertThat(pair.right.counters().value(RECEIVED_IMMEDIATES)).isEqualTo(1);
    }

    @Test
    void shouldCountAnswersForWantOfCredit() throws Exception {
        left = left.sendDepth(64);
        right = right.receiveDepth(16);
        pair = open();
        assertThat(refusalsOf(10, 3)).containsOnly(Submission.NO_CREDIT);
        assertThat(counted(pair.left.counters()))
                .containsEntry(NO_CREDIT_ANSWERS, 3L)
                .doesNotContainKeys(QUEUE_FULL_ANSWERS, POOL_EXHAUSTED_ANSWERS);
    }

    @Test
    void shouldCountAnswersForWantOfRoom() throws Exception {
        left = left.sendDepth(8);
        pair = open();
        assertThat(refusalsOf(10, 2)).containsOnly(Submission.QUEUE_FULL);
        assertThat(counted(pair.left.counters()))
                .containsEntry(QUEUE_FULL_ANSWERS, 2L)
                .containsEntry(SENT_MESSAGES, 8L)
                .doesNotContainKeys(NO_CREDIT_ANSWERS, POOL_EXHAUSTED_ANSWERS);
    }

    @Test
    void shouldCountAnswersForWantOfMemory() throws Exception {
        poolMaxBytes = 4L << 20;
        pair = open();
        assertThat(refusalsOf(600_000, 2)).containsOnly(Submission.POOL_EXHAUSTED);
        assertThat(pair.left.claim(600_000)).isNull();
        assertThat(counted(pair.left.counters()))
                .containsEntry(POOL_EXHAUSTED_ANSWERS, 3L)
                .doesNotContainKeys(NO_CREDIT_ANSWERS, QUEUE_FULL_ANSWERS);
    }

    /** Asynchronous forms try again by themselves, at each poll. */
    @Test
    void shouldCountNoAnswerThatNobodyGot() throws Exception {
        left = left.sendDepth(8);
        pair = open();
        MemorySegment memory = Arena.ofAuto().allocate(10);
        for (int i = 0; i < 50; i++) {
            pair.left.sendAsync(memory);
        }
        pair.pollUntil("all are there", () -> atRight.messages.size() == 50);
        RemoteRegion region = exposeAtRight("region", Arena.ofAuto().allocate(64, 64), ALL);
        List<CompletableFuture<Long>> results = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            results.add(pair.left.async().fetchAndAdd(region, 0, 1).toCompletableFuture());
        }
        pair.pollUntil("all have ended", () -> results.stream().allMatch(CompletableFuture::isDone));
        assertThat(counted(pair.left.counters()))
                .containsEntry(SENT_MESSAGES, 50L)
                .containsEntry(ATOMIC_OPERATIONS, 30L)
                .doesNotContainKeys(QUEUE_FULL_ANSWERS, NO_CREDIT_ANSWERS);
    }

    @Test
    void shouldKeepACountOfChannelsThatAreOver() throws Exception {
        pair = open();
        send(pair.left, Arena.ofAuto().allocate(33));
        pair.pollUntil("it is there", () -> atRight.messages.size() == 1);
        ChannelCounters ofPoller = pair.leftPoller.counters();
        assertThat(ofPoller.value(SENT_BYTES)).isEqualTo(33);
        closeBoth();

        assertThat(pair.left.counters().value(SENT_BYTES)).isEqualTo(33);
        assertThat(counted(ofPoller))
                .containsEntry(SENT_BYTES, 33L)
                .containsEntry(SENT_MESSAGES, 1L)
                .containsEntry(OPENED_CHANNELS, 1L)
                .containsEntry(BEGUN_HANDSHAKES, 1L)
                .containsKey(POLLS)
                .doesNotContainKeys(FAILED_CHANNELS, FLUSHED_COMPLETIONS);
        assertThat(pair.left.counters().value(POLLS)).isZero();
        assertThat(pair.rightPoller.counters().value(BEGUN_HANDSHAKES)).isEqualTo(1);
    }

    @Test
    void shouldTellOfItsPools() throws Exception {
        pair = open();
        assertThat(pair.leftPoller.pools()).hasSize(1).allSatisfy((name, pool) -> {
            assertThat(name).startsWith("left");
            assertThat(pool.usedBytes()).isPositive();
            assertThat(pool.freeBytes()).isPositive();
            assertThat(pool.usedBytes() + pool.freeBytes()).isEqualTo(pool.capacityBytes());
        });
        pair.leftPoller.close();
        assertThat(pair.leftPoller.pools()).isEmpty();
    }

    /** Sends without polling until so many are refused. */
    private Submission[] refusalsOf(int bytes, int count) {
        MemorySegment memory = Arena.ofAuto().allocate(bytes);
        Submission answer = Submission.ACCEPTED;
        while (answer.isAccepted()) {
            answer = pair.left.send(memory, 0, bytes);
        }
        Submission[] answers = new Submission[count];
        answers[0] = answer;
        for (int i = 1; i < count; i++) {
            answers[i] = pair.left.send(memory, 0, bytes);
        }
        return answers;
    }

    /** What is not zero. */
    static Map<ChannelCounter, Long> counted(ChannelCounters counters) {
        Map<ChannelCounter, Long> snapshot = counters.snapshot();
        assertThat(snapshot.keySet()).containsExactlyElementsOf(Arrays.asList(ChannelCounter.values()));
        snapshot.values().removeIf(value -> value == 0);
        return snapshot;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackFaults.Work;
import io.rdmachannel.testing.LoopbackTest;
import io.rdmachannel.verbs.WorkCompletionStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a channel when its device fails in the middle of work, in ways that no device can be asked for. */
@LoopbackTest
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
class LoopbackFailureTest extends ContractPair {
    private static final int LEFT = 0;
    private static final int RIGHT = 1;

    private long tokens;

    @Override
    ChannelPair.Setup setup() {
        ChannelConfigBuilder config = RdmaChannelCases.config().lingerTimeout(Duration.ofMillis(300));
        return new ChannelPair.Setup(InetAddress.getLoopbackAddress(), CompletionMode.BUSY_POLL, config, config);
    }

    @ParameterizedTest
    @CsvSource({
        "RETRY_EXCEEDED_ERROR, PATH_LOST",
        "REMOTE_OPERATION_ERROR, TRANSPORT",
        "LOCAL_PROTECTION_ERROR, TRANSPORT",
        "FATAL_ERROR, TRANSPORT",
        "GENERAL_ERROR, TRANSPORT",
        "REMOTE_ACCESS_ERROR, REMOTE_ACCESS"
    })
    void shouldFailWithTheFirstErrorAndNotTheFlood(WorkCompletionStatus status, Reason reason) throws Exception {
        pair = open();
        RemoteRegion region = exposeAtRight("region", Arena.ofAuto().allocate(4096, 64), ALL);
        Lease memory = lease(4096);
        LoopbackFaults.failWork(queuePair(LEFT), Work.SENDS, 7, status, 0x77);
        startMixture(region, memory, 40);
        pair.pollUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);

        assertThat(pair.left.failure())
                .hasValueSatisfying(failure -> assertThat(failure.reason()).isEqualTo(reason));
        assertThat(pair.left.failure().orElseThrow())
                .hasMessageContaining(status.toString())
                .hasMessageContaining("vendor error 119")
                .hasMessageNotContaining("FLUSHED");
        assertEveryTokenIsTold();
        assertThat(atLeft.outcomes).containsValue(Outcome.SUCCESS);
        memory.release();
        pair.pollUntil("the peer noticed", () -> pair.right.state() == ChannelState.FAILED);
        assertThat(atLeft.states).containsExactly(ChannelState.CONNECTED, ChannelState.FAILED);
    }

    /** Nobody knows whether it has happened: the answer may have been lost. */
    @Test
    void shouldNotClaimToKnowOfTheAtomicThatBrokeTheChannel() throws Exception {
        pair = open();
        RemoteRegion region = exposeAtRight("region", Arena.ofAuto().allocate(64, 64), ALL);
        Lease memory = lease(64);
        LoopbackFaults.failWork(queuePair(LEFT), Work.SENDS, 0, WorkCompletionStatus.RETRY_EXCEEDED_ERROR, 0);
        assertThat(pair.left.fetchAndAdd(region, 0, 1, memory, tokens++)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.fetchAndAdd(region, 8, 1, memory, tokens++)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.write(memory, 0, region, 16, 8, tokens++)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);
        memory.release();

        assertThat(atLeft.outcomes)
                .containsEntry(0L, Outcome.UNKNOWN)
                .containsEntry(1L, Outcome.UNKNOWN)
                .containsEntry(2L, Outcome.CANCELLED);
    }

    @Test
    void shouldFailBothEndsWhenAReceiveFails() throws Exception {
        pair = open();
        LoopbackFaults.failWork(queuePair(RIGHT), Work.RECEIVES, 3, WorkCompletionStatus.LOCAL_PROTECTION_ERROR, 5);
        startMessages(20);
        pair.leftPoller.poll();
        pair.rightPoller.poll();
        pair.rightPoller.poll();
        awaitFailureOfBoth();

        assertThat(pair.right.failure().orElseThrow())
                .hasMessageContaining("LOCAL_PROTECTION_ERROR")
                .hasMessageContaining("a receive");
        assertThat(pair.left.failure().orElseThrow()).hasMessageContaining("REMOTE_OPERATION_ERROR");
        assertEveryTokenIsTold();
        assertThat(atRight.messages).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"LEFT", "RIGHT"})
    void shouldFailWhenTheDeviceMovesAQueuePairToError(String side) throws Exception {
        pair = open();
        startMessages(3);
        LoopbackFaults.breakQueuePair(queuePair(side.equals("LEFT") ? LEFT : RIGHT));
        startMessages(20);
        awaitFailureOfBoth();

        assertThat(pair.left.failure().orElseThrow().reason())
                .isIn(Reason.TRANSPORT, Reason.PEER_GONE, Reason.PATH_LOST);
        assertEveryTokenIsTold();
    }

    @Test
    void shouldFailWhenThePortIsDown() throws Exception {
        pair = open();
        LoopbackFaults.setPort(0, false);
        startMessages(5);
        pair.pollUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);

        assertThat(pair.left.failure().orElseThrow())
                .hasMessageContaining("RETRY_EXCEEDED_ERROR")
                .hasMessageContaining("post 1 ");
        assertEveryTokenIsTold();
        assertThat(atRight.messages).isEmpty();
    }

    @Test
    void shouldFailEveryChannelOfAQueueThatCannotBePolled() throws Exception {
        pair = open();
        startMessages(5);
        LoopbackFaults.failNextCall("ibv_poll_cq", LoopbackFaults.EIO);
        pair.leftPoller.poll();
        pair.pollUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);

        assertThat(pair.left.failure().orElseThrow())
                .hasMessageContaining("completion queue failed with -5")
                .hasMessageContaining("Connect anew");
        assertEveryTokenIsTold();
    }

    /** Completions are lost, and nothing but an event tells. */
    @Test
    void shouldFailEveryChannelOfAQueueThatOverranTrouble05() throws Exception {
        pair = open();
        LoopbackFaults.overrun(queuePair(LEFT));
        pair.pollUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);

        assertThat(pair.left.failure().orElseThrow()).hasMessageContaining("COMPLETION_QUEUE_ERROR");
        assertThat(pair.left.failure().orElseThrow().reason()).isEqualTo(Reason.TRANSPORT);
    }

    @ParameterizedTest
    @CsvSource({"ibv_post_send, a post", "ibv_post_recv, a receive"})
    void shouldFailWhenTheDeviceRefusesWork(String function, String work) throws Exception {
        pair = open();
        LoopbackFaults.failCalls(function, 0, 1, LoopbackFaults.EIO);
        startMessages(200);
        awaitFailureOfBoth();

        assertThat(List.of(pair.left, pair.right))
                .anySatisfy(channel -> assertThat(channel.failure().orElseThrow())
                        .hasMessageContaining(work)
                        .hasMessageContaining("EIO"));
        assertEveryTokenIsTold();
    }

    @Test
    void shouldNoticeAMessageThatTheDeviceLost() throws Exception {
        pair = open();
        LoopbackFaults.dropCompletions(queuePair(RIGHT), Work.RECEIVES, 2, 1);
        startMessages(20);
        awaitFailureOfBoth();

        assertThat(pair.right.failure().orElseThrow().reason()).isEqualTo(Reason.TRANSPORT);
        assertThat(pair.right.failure().orElseThrow()).hasMessageContaining("has lost a completion");
        assertThat(atRight.messages).hasSize(2);
        assertEveryTokenIsTold();
    }

    @Test
    void shouldGoOnWhenOnlyACompletionOfASendIsLost() throws Exception {
        pair = open();
        LoopbackFaults.dropCompletions(queuePair(LEFT), Work.SENDS, 0, 1);
        for (int round = 0; round < 40; round++) {
            startMessages(20);
            pair.pollUntil("all are told", () -> atLeft.outcomes.size() == tokens);
        }

        assertThat(atLeft.outcomes.values()).containsOnly(Outcome.SUCCESS);
        assertThat(atRight.messages).hasSize((int) tokens);
    }

    @Test
    void shouldKeepABufferOutUntilItsCompletionHasCome() throws Exception {
        pair = open();
        RemoteRegion region = exposeAtRight("region", Arena.ofAuto().allocate(4096, 64), ALL);
        Lease source = lease(4096);
        long address = source.segment().address();
        LoopbackFaults.holdCompletions(queuePair(LEFT), Work.SENDS);
        assertThat(pair.left.write(source, 0, region, 0, 4096, tokens++)).isEqualTo(Submission.ACCEPTED);
        source.release();
        pollForAWhile();

        List<Lease> others = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            others.add(lease(4096));
        }
        assertThat(others).extracting(other -> other.segment().address()).doesNotContain(address);
        assertThat(atLeft.outcomes).isEmpty();
        others.forEach(Lease::release);
        assertThat(LoopbackFaults.releaseCompletions()).isPositive();
        pair.pollUntil("the write is told", () -> atLeft.outcomes.size() == 1);
        assertThat(atLeft.outcomes).containsEntry(0L, Outcome.SUCCESS);
    }

    @Test
    void shouldWaitForCompletionsThatAreLateAndLoseNothing() throws Exception {
        pair = open();
        LoopbackFaults.holdCompletions(LoopbackFaults.ANY, Work.ALL);
        startMessages(50);
        pollForAWhile();
        assertThat(atRight.messages).isEmpty();
        assertThat(atLeft.outcomes).isEmpty();
        assertThat(pair.left.state()).isEqualTo(ChannelState.CONNECTED);

        LoopbackFaults.releaseCompletions();

        pair.pollUntil("all are told", () -> atLeft.outcomes.size() == tokens);
        assertThat(atRight.messages).hasSize(50);
        assertThat(atLeft.order).isSorted();
    }

    @Test
    void shouldTellWhenADomainCannotBeClosedAndCloseItWhenAskedAgain() throws Exception {
        pair = open();
        startMessages(5);
        pair.pollUntil("all are told", () -> atLeft.outcomes.size() == tokens);
        LoopbackFaults.failNextCall("ibv_dealloc_pd", LoopbackFaults.EBUSY);

        assertThatThrownBy(pair.leftPoller::close)
                .hasMessageContaining("ibv_dealloc_pd")
                .hasMessageContaining("EBUSY");
        assertThat(LoopbackFaults.live()).containsEntry("pds", 2);
        pair.leftPoller.close();

        assertThat(LoopbackFaults.live()).containsEntry("pds", 1);
    }

    @Test
    void shouldTellWhenAQueuePairCannotBeClosedAndCloseItWhenAskedAgain() throws Exception {
        pair = open();
        startMessages(5);
        pair.pollUntil("all are told", () -> atLeft.outcomes.size() == tokens);
        LoopbackFaults.failNextCall("ibv_destroy_qp", LoopbackFaults.EBUSY);

        pair.left.close();
        assertThat(pair.left.failure())
                .hasValueSatisfying(failure -> assertThat(failure)
                        .hasMessageContaining("ibv_destroy_qp")
                        .hasMessageContaining("EBUSY"));
        assertThat(pair.left.state()).isEqualTo(ChannelState.FAILED);
        assertThat(LoopbackFaults.live()).containsEntry("qps", 2);
        pair.left.close();

        assertThat(pair.left.state()).isEqualTo(ChannelState.CLOSED);
        assertThat(LoopbackFaults.live()).containsEntry("qps", 1);
    }

    /** Of the two that there are the connecting side's is the older one. */
    private static int queuePair(int side) {
        int[] numbers = LoopbackFaults.queuePairs();
        assertThat(numbers).hasSize(2);
        return numbers[side];
    }

    private void awaitFailureOfBoth() {
        pair.pollUntil(
                "both failed",
                () -> pair.left.state() == ChannelState.FAILED && pair.right.state() == ChannelState.FAILED);
    }

    private void startMessages(int count) {
        MemorySegment memory = Arena.ofAuto().allocate(100);
        for (int i = 0; i < count && pair.left.state().isOpen(); i++) {
            if (pair.left.send(memory, 0, 100, tokens).isAccepted()) {
                tokens++;
            }
        }
    }

    /** Messages, writes, reads and atomics in turn. */
    private void startMixture(RemoteRegion region, Lease memory, int count) {
        for (int i = 0; i < count; i++) {
            Submission answer = switch (i % 4) {
                case 0 -> pair.left.send(memory.segment(), 0, 100, tokens);
                case 1 -> pair.left.write(memory, 0, region, 0, 512, tokens);
                case 2 -> pair.left.read(region, 0, memory, 0, 512, tokens);
                default -> pair.left.fetchAndAdd(region, 8, 1, memory, tokens);
            };
            tokens += answer.isAccepted() ? 1 : 0;
        }
        assertThat(tokens).isGreaterThan(20);
    }

    /** Twice would have been an error of the recorder's. */
    private void assertEveryTokenIsTold() {
        assertThat(atLeft.outcomes.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, tokens).boxed().toList());
    }

    private void pollForAWhile() {
        for (int i = 0; i < 1000; i++) {
            pair.poll();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.LoopbackTest;
import io.rdmachannel.testing.PairOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Checks of work that Soft-RoCE does not make, or makes in another way, and hardware does. */
@LoopbackTest
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class LoopbackChecksTest {
    private static final Set<AccessFlag> ALL = EnumSet.of(
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private ConnectedPair pair;
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        open(PairOptions.usual().regionBytes(9L << 20));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void shouldTellTheTwoKeysOfARegionApart() {
        left.begin(WorkRequestOpcode.RDMA_WRITE, 1)
                .add(0, left.region(), 0, 8)
                .remote(0, right.region().address(), right.region().localKey());
        left.post();

        assertFailed(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    void shouldRefuseTheRemoteKeyForLocalMemory() {
        right.receive(1, 0, 8);
        left.begin(WorkRequestOpcode.SEND, 1)
                .add(0, left.region().address(), 8, left.region().remoteKey());
        left.post();

        assertFailed(WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
    }

    @Test
    void shouldNotTakeAKeyAgainSoon() {
        MemorySegment memory = Arena.ofAuto().allocate(4096);
        MemoryRegion first = pair.domain().registerMemory(memory, ALL);
        int stale = first.remoteKey();
        first.close();
        for (int i = 0; i < 1000; i++) {
            MemoryRegion next = pair.domain().registerMemory(memory, ALL);
            assertThat(next.remoteKey()).isNotEqualTo(stale);
            next.close();
        }
    }

    @Test
    void shouldRefuseARegionOfAnotherDomain() {
        try (ProtectionDomain other = pair.context().allocateProtectionDomain()) {
            MemoryRegion foreign = other.registerMemory(Arena.ofAuto().allocate(4096), ALL);
            left.begin(WorkRequestOpcode.RDMA_WRITE, 1)
                    .add(0, left.region(), 0, 8)
                    .remote(0, foreign.address(), foreign.remoteKey());
            left.post();

            assertFailed(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
        }
    }

    @Test
    void shouldRefuseAMessageLongerThanThePortCarries() {
        long longest = pair.context().port(1).maxMessageSize();
        right.receive(1, 0, longest + 1);
        left.begin(WorkRequestOpcode.SEND, 2).add(0, left.region(), 0, longest + 1);
        left.post();

        assertFailed(WorkCompletionStatus.LOCAL_LENGTH_ERROR);
    }

    @Test
    void shouldNameTheErrorOfEachEndWhenAReceiveIsTooSmall() {
        right.receive(1, 0, 15);
        left.begin(WorkRequestOpcode.SEND, 2).add(0, left.region(), 0, 16);
        left.post();

        assertThat(right.next().status()).isEqualTo(WorkCompletionStatus.LOCAL_LENGTH_ERROR);
        assertFailed(WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
    }

    @Test
    void shouldTellThePeerOfAnAccessThatItRefused() {
        left.begin(WorkRequestOpcode.RDMA_READ, 1)
                .add(0, left.region(), 0, 8)
                .remote(0, right.region().address() - 8, right.region().remoteKey());
        left.post();

        assertFailed(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
        assertThat(pair.context().awaitAsyncEvent(20, TimeUnit.SECONDS).type())
                .isEqualTo(AsyncEventType.QUEUE_PAIR_ACCESS_ERROR);
        assertThat(right.queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void shouldKeepASlotUntilItsCompletionWasPolled() {
        int depth = left.queuePair().capabilities().maxSendRequests();
        for (int i = 0; i < depth; i++) {
            assertThat(write(i, true)).isEqualTo(PostResult.POSTED);
        }
        assertThat(write(depth, true)).isEqualTo(PostResult.QUEUE_FULL);

        assertThat(left.next().id()).isZero();

        assertThat(write(depth, true)).isEqualTo(PostResult.POSTED);
        assertThat(write(depth + 1, true)).isEqualTo(PostResult.QUEUE_FULL);
    }

    @Test
    void shouldFreeUnsignaledSlotsOnlyWithALaterCompletion() {
        int depth = left.queuePair().capabilities().maxSendRequests();
        for (int i = 0; i < depth; i++) {
            assertThat(write(i, i == depth / 2)).isEqualTo(PostResult.POSTED);
        }
        assertThat(write(depth, false)).isEqualTo(PostResult.QUEUE_FULL);

        assertThat(left.next().id()).isEqualTo(depth / 2);

        for (int i = 0; i <= depth / 2; i++) {
            assertThat(write(i, false)).isEqualTo(PostResult.POSTED);
        }
        assertThat(write(depth, false)).isEqualTo(PostResult.QUEUE_FULL);
    }

    @Test
    void shouldOverrunAQueueOfWhichNobodyTakes() {
        pair.close();
        open(PairOptions.usual().completions(4));
        for (int i = 0; i < 5; i++) {
            assertThat(write(i, true)).isEqualTo(PostResult.POSTED);
        }

        assertThat(pair.context().awaitAsyncEvent(20, TimeUnit.SECONDS).type())
                .isEqualTo(AsyncEventType.COMPLETION_QUEUE_ERROR);
        assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(Completion.drain(left.completions())).hasSize(4);
    }

    @Test
    void shouldRefuseToRegisterWhatIsNotThere() {
        MemorySegment nowhere = MemorySegment.ofAddress(4096);

        assertThatThrownBy(() -> pair.domain().registerMemory(reinterpreted(nowhere), ALL))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EFAULT");
    }

    @SuppressWarnings("restricted")
    private static MemorySegment reinterpreted(MemorySegment pointer) {
        return pointer.reinterpret(4096);
    }

    private void open(PairOptions options) {
        pair = ConnectedPair.open(options);
        left = pair.left();
        right = pair.right();
    }

    private int write(long id, boolean signaled) {
        left.sends()
                .begin(0, WorkRequestOpcode.RDMA_WRITE, id, signaled)
                .add(0, left.region(), 0, 8)
                .remote(0, right.region().address(), right.region().remoteKey());
        return left.queuePair().postSend(left.sends(), 0);
    }

    private void assertFailed(WorkCompletionStatus status) {
        assertThat(left.next().status()).isEqualTo(status);
        assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
    }
}

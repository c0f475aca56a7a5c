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
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@RdmaTest
class FailedWorkIT {
    private static final Set<AccessFlag> ALL = EnumSet.of(
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    /** Soft-RoCE of Linux 6.1 reports a wrong local key as an error of the queue pair. */
    private static final WorkCompletionStatus[] LOCAL_FAULT = {
        WorkCompletionStatus.LOCAL_PROTECTION_ERROR, WorkCompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR
    };

    @Test
    void shouldFailASendWithAWrongLocalKey() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            pair.right().receive(1, 0, 64);
            pair.left()
                    .begin(WorkRequestOpcode.SEND, 2)
                    .add(
                            0,
                            pair.left().region().address(),
                            16,
                            pair.left().region().localKey() ^ 0x7F00);
            pair.left().post();

            assertFailed(pair.left(), 2, LOCAL_FAULT);
        }
    }

    @Test
    void shouldFailASendFromBehindTheRegion() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            MemoryRegion region = pair.left().region();
            pair.left()
                    .begin(WorkRequestOpcode.SEND, 2)
                    .add(0, region.address() + region.length() - 8, 16, region.localKey());
            pair.left().post();

            assertFailed(pair.left(), 2, LOCAL_FAULT);
        }
    }

    @Test
    void shouldFailASendFromAClosedRegion() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            MemoryRegion region = pair.domain().registerMemory(Arena.ofAuto().allocate(4096), ALL);
            pair.left().begin(WorkRequestOpcode.SEND, 2).add(0, region, 0, 16);
            region.close();
            pair.left().post();

            assertFailed(pair.left(), 2, LOCAL_FAULT);
        }
    }

    @Test
    void shouldFailAReadIntoARegionThatMayNotBeWritten() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            MemoryRegion readOnly = pair.domain().registerMemory(Arena.ofAuto().allocate(4096), Set.of());
            pair.left()
                    .begin(WorkRequestOpcode.RDMA_READ, 2)
                    .add(0, readOnly, 0, 16)
                    .remote(
                            0,
                            pair.right().region().address(),
                            pair.right().region().remoteKey());
            pair.left().post();

            assertFailed(pair.left(), 2, LOCAL_FAULT);
            assertThat(readOnly.memory().get(ValueLayout.JAVA_LONG, 0)).isZero();
        }
    }

    @Test
    void shouldFailBothSidesWhenAReceiveMayNotBeWritten() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            MemoryRegion readOnly = pair.domain().registerMemory(Arena.ofAuto().allocate(4096), Set.of());
            pair.right().receives().begin(0, 1).add(0, readOnly, 0, 64);
            pair.right().queuePair().postReceive(pair.right().receives(), 0);
            pair.left().begin(WorkRequestOpcode.SEND, 2).add(0, pair.left().region(), 0, 16);
            pair.left().post();

            assertFailed(pair.right(), 1, LOCAL_FAULT);
            assertFailed(pair.left(), 2, WorkCompletionStatus.REMOTE_OPERATION_ERROR);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WorkRequestOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD", "ATOMIC_COMPARE_AND_SWAP"})
    void shouldFailWorkWithAWrongRemoteKey(WorkRequestOpcode opcode) {
        try (ConnectedPair pair = ConnectedPair.open()) {
            remote(
                    pair,
                    opcode,
                    pair.right().region().address(),
                    pair.right().region().remoteKey() ^ 0x7F00);

            assertFailed(pair.left(), 2, WorkCompletionStatus.REMOTE_ACCESS_ERROR);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WorkRequestOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD", "ATOMIC_COMPARE_AND_SWAP"})
    void shouldFailWorkOutOfBounds(WorkRequestOpcode opcode) {
        try (ConnectedPair pair = ConnectedPair.open()) {
            MemoryRegion region = pair.right().region();
            remote(pair, opcode, region.address() + region.length(), region.remoteKey());

            assertFailed(pair.left(), 2, WorkCompletionStatus.REMOTE_ACCESS_ERROR);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WorkRequestOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD"})
    void shouldFailWorkThatTheRegionDoesNotAllow(WorkRequestOpcode opcode) {
        Set<AccessFlag> others = EnumSet.copyOf(ALL);
        others.remove(rightFor(opcode));
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().regionAccess(others))) {
            remote(
                    pair,
                    opcode,
                    pair.right().region().address(),
                    pair.right().region().remoteKey());

            assertFailed(pair.left(), 2, WorkCompletionStatus.REMOTE_ACCESS_ERROR);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WorkRequestOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD"})
    void shouldFailWorkThatTheQueuePairDoesNotAllow(WorkRequestOpcode opcode) {
        Set<AccessFlag> others = EnumSet.copyOf(ALL);
        others.remove(rightFor(opcode));
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().queuePairAccess(others))) {
            remote(
                    pair,
                    opcode,
                    pair.right().region().address(),
                    pair.right().region().remoteKey());

            // The specification has an invalid request; drivers differ.
            assertFailed(
                    pair.left(),
                    2,
                    WorkCompletionStatus.REMOTE_ACCESS_ERROR,
                    WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
        }
    }

    @Test
    void shouldGiveUpWhenNoReceiveIsPosted() {
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().rnrRetry(2))) {
            pair.left().begin(WorkRequestOpcode.SEND, 2).add(0, pair.left().region(), 0, 16);
            pair.left().post();

            assertFailed(pair.left(), 2, WorkCompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED_ERROR);
        }
    }

    @Test
    void shouldGiveUpWhenThereIsNoPeer() {
        try (ConnectedPair pair = ConnectedPair.unconnected(PairOptions.usual().timeout(8))) {
            pair.connect(pair.left().queuePair(), 0xFF_FFF0);
            pair.left().begin(WorkRequestOpcode.SEND, 2).add(0, pair.left().region(), 0, 16);
            pair.left().post();

            assertFailed(pair.left(), 2, WorkCompletionStatus.RETRY_EXCEEDED_ERROR);
        }
    }

    @Test
    void shouldFailBothSidesWhenTheReceiveIsTooSmall() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            pair.right().receive(1, 0, 15);
            pair.left().begin(WorkRequestOpcode.SEND, 2).add(0, pair.left().region(), 0, 16);
            pair.left().post();

            assertFailed(
                    pair.right(),
                    1,
                    WorkCompletionStatus.LOCAL_LENGTH_ERROR,
                    WorkCompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
            assertFailed(
                    pair.left(),
                    2,
                    WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR,
                    WorkCompletionStatus.REMOTE_OPERATION_ERROR);
        }
    }

    @Test
    void shouldFlushWhatCameAfterTheFailure() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            Endpoint left = pair.left();
            left.sends()
                    .begin(0, WorkRequestOpcode.SEND, 10, true)
                    .add(0, left.region().address(), 16, left.region().localKey() ^ 0x7F00);
            left.sends().begin(1, WorkRequestOpcode.SEND, 11, false).add(1, left.region(), 0, 16);
            left.sends().begin(2, WorkRequestOpcode.SEND, 12, true).add(2, left.region(), 0, 16);
            assertThat(left.queuePair().postSend(left.sends(), 0, 3)).isEqualTo(PostResult.POSTED);

            assertFailed(left, 10, LOCAL_FAULT);
            assertFailed(left, 11, WorkCompletionStatus.FLUSHED);
            assertFailed(left, 12, WorkCompletionStatus.FLUSHED);
            assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
        }
    }

    @Test
    void shouldTellOnlyWhatAFailedCompletionHas() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            pair.left().receive(7, 0, 16);
            pair.left().queuePair().moveToError();
            WorkCompletions room = WorkCompletions.ofCapacity(2);
            Deadline.usual()
                    .await("a flushed receive", () -> pair.left().completions().poll(room) == 1);

            assertThat(room.workRequestId(0)).isEqualTo(7);
            assertThat(room.status(0)).isEqualTo(WorkCompletionStatus.FLUSHED);
            assertThat(room.rawStatus(0)).isNotZero();
            assertThat(room.isSuccess(0)).isFalse();
            assertThat(room.queuePairNumber(0))
                    .isEqualTo(pair.left().queuePair().number());
            assertThatThrownBy(() -> room.opcode(0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("FLUSHED");
            assertThatThrownBy(() -> room.byteLength(0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> room.immediate(0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> room.flags(0)).isInstanceOf(IllegalStateException.class);
        }
    }

    private static AccessFlag rightFor(WorkRequestOpcode opcode) {
        return switch (opcode) {
            case RDMA_WRITE -> AccessFlag.REMOTE_WRITE;
            case RDMA_READ -> AccessFlag.REMOTE_READ;
            default -> AccessFlag.REMOTE_ATOMIC;
        };
    }

    private static void remote(ConnectedPair pair, WorkRequestOpcode opcode, long address, int key) {
        SendWorkRequests row = pair.left().begin(opcode, 2).add(0, pair.left().region(), 0, 8);
        switch (opcode) {
            case ATOMIC_FETCH_AND_ADD -> row.fetchAndAdd(0, address, key, 1);
            case ATOMIC_COMPARE_AND_SWAP -> row.compareAndSwap(0, address, key, 0, 1);
            default -> row.remote(0, address, key);
        }
        pair.left().post();
    }

    private static void assertFailed(Endpoint endpoint, long id, WorkCompletionStatus... accepted) {
        Completion failed = endpoint.next();
        assertThat(failed.status()).isIn((Object[]) accepted);
        assertThat(failed.id()).isEqualTo(id);
        assertThat(failed.queuePairNumber()).isEqualTo(endpoint.queuePair().number());
    }
}

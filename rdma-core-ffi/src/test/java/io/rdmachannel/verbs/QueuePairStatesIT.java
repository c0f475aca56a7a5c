// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@RdmaTest
class QueuePairStatesIT {
    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    void shouldGoThroughItsStates(QueuePairType type) {
        try (ConnectedPair pair = ConnectedPair.unconnected(PairOptions.usual().type(type))) {
            QueuePair queuePair = pair.left().queuePair();
            assertState(queuePair, QueuePairState.RESET);
            queuePair.modify(pair.toInit(type));
            assertState(queuePair, QueuePairState.INIT);
            queuePair.modify(
                    pair.toReadyToReceive(type, pair.right().queuePair().number()));
            assertState(queuePair, QueuePairState.READY_TO_RECEIVE);
            queuePair.modify(pair.toReadyToSend(type));
            assertState(queuePair, QueuePairState.READY_TO_SEND);
            queuePair.moveToError();
            assertState(queuePair, QueuePairState.ERROR);
            queuePair.modify(QueuePairChange.to(QueuePairState.RESET));
            assertState(queuePair, QueuePairState.RESET);
            assertThat(queuePair.type()).isEqualTo(type);
        }
    }

    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    void shouldGoToErrorAndToResetFromEveryState(QueuePairType type) {
        try (ConnectedPair pair = ConnectedPair.unconnected(PairOptions.usual().type(type))) {
            QueuePair queuePair = pair.left().queuePair();
            for (int moves = 1; moves <= 3; moves++) {
                for (QueuePairState target : new QueuePairState[] {QueuePairState.ERROR, QueuePairState.RESET}) {
                    move(pair, queuePair, moves);
                    queuePair.modify(QueuePairChange.to(target));
                    assertState(queuePair, target);
                    queuePair.modify(QueuePairChange.to(QueuePairState.RESET));
                }
            }
        }
    }

    @Test
    void shouldReportWhatWasSet() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            QueuePairAttributes attributes = pair.left().queuePair().query();

            assertThat(attributes.state()).isEqualTo(QueuePairState.READY_TO_SEND);
            assertThat(attributes.pathMtu()).isEqualTo(pair.device().mtu());
            assertThat(attributes.destinationQueuePairNumber())
                    .isEqualTo(pair.right().queuePair().number());
            assertThat(attributes.access())
                    .contains(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
            assertThat(attributes.receivePacketSequenceNumber()).isEqualTo(0x00AB_CDEF);
            assertThat(attributes.timeout()).isEqualTo(14);
            assertThat(attributes.retryCount()).isEqualTo(3);
            assertThat(attributes.rnrRetry()).isEqualTo(6);
            assertThat(attributes.minRnrTimer()).isEqualTo(1);
            assertThat(attributes.maxOutstandingReads()).isEqualTo(4);
            assertThat(attributes.maxResponderReads()).isEqualTo(4);
            assertThat(attributes.port()).isEqualTo(pair.device().port());
            // Soft-RoCE of Linux 6.1 tells here, and only here, that it made the queues larger.
            assertThat(attributes.capabilities().maxSendRequests())
                    .isGreaterThanOrEqualTo(
                            pair.left().queuePair().capabilities().maxSendRequests());
            assertThat(attributes.capabilities().maxReceiveRequests())
                    .isGreaterThanOrEqualTo(
                            pair.left().queuePair().capabilities().maxReceiveRequests());
        }
    }

    @Test
    void shouldWorkAgainAfterReset() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            for (int round = 0; round < 3; round++) {
                pair.right().receive(1, 0, 8);
                pair.left().begin(WorkRequestOpcode.SEND, 2);
                pair.left().post();
                assertThat(pair.right().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
                assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
                reconnect(pair);
            }
        }
    }

    @Test
    void shouldFinishWhatWasSentWhenTheSendQueueIsDrained() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            QueuePair queuePair = pair.left().queuePair();
            queuePair.modify(QueuePairChange.to(QueuePairState.SEND_QUEUE_DRAINED));
            assertState(queuePair, QueuePairState.SEND_QUEUE_DRAINED);

            pair.left().receive(1, 0, 8);
            pair.right().begin(WorkRequestOpcode.SEND, 2);
            pair.right().post();
            assertThat(pair.left().next().id()).isEqualTo(1);

            queuePair.modify(QueuePairChange.to(QueuePairState.READY_TO_SEND));
            assertState(queuePair, QueuePairState.READY_TO_SEND);
        }
    }

    @Test
    void shouldChangeRightsAndTimersWhileReady() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            QueuePair queuePair = pair.left().queuePair();
            queuePair.modify(QueuePairChange.ofAttributes().minRnrTimer(7));
            queuePair.modify(QueuePairChange.ofAttributes().access(Set.of(AccessFlag.REMOTE_READ)));

            assertThat(queuePair.query().minRnrTimer()).isEqualTo(7);
            assertThat(queuePair.query().access())
                    .contains(AccessFlag.REMOTE_READ)
                    .doesNotContain(AccessFlag.REMOTE_WRITE);
        }
    }

    @Test
    void shouldNameTheAttributeThatAMoveLacks() {
        try (ConnectedPair pair = ConnectedPair.unconnected(PairOptions.usual())) {
            QueuePair queuePair = pair.left().queuePair();
            assertRefused(queuePair, QueuePairChange.to(QueuePairState.INIT).port(1), "PARTITION_KEY_INDEX");
            assertState(queuePair, QueuePairState.RESET);
            queuePair.modify(pair.toInit(queuePair.type()));
            assertRefused(
                    queuePair,
                    QueuePairChange.to(QueuePairState.READY_TO_RECEIVE).pathMtu(PathMtu.MTU_1024),
                    "ADDRESS_VECTOR");
            assertState(queuePair, QueuePairState.INIT);
        }
    }

    @Test
    void shouldRefuseAMoveThatDoesNotExist() {
        try (ConnectedPair pair = ConnectedPair.unconnected(PairOptions.usual())) {
            QueuePair queuePair = pair.left().queuePair();
            assertRefused(queuePair, pair.toReadyToSend(queuePair.type()), "RESET");
            assertRefused(queuePair, pair.toReadyToReceive(queuePair.type(), 1), "RESET");
            assertRefused(queuePair, QueuePairChange.to(QueuePairState.ERROR), "RESET");
            assertThatThrownBy(() -> QueuePairChange.to(QueuePairState.UNKNOWN))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldExplainAnEmptyGidEntry() {
        try (ConnectedPair pair = ConnectedPair.unconnected(PairOptions.usual())) {
            QueuePair queuePair = pair.left().queuePair();
            queuePair.modify(pair.toInit(queuePair.type()));
            AddressVector route = AddressVector.toGid(
                    pair.device().port(), GlobalRoute.to(pair.device().gid().gid(), 200));
            QueuePairChange change = pair.toReadyToReceive(queuePair.type(), 1).addressVector(route);

            VerbsException refused = catchThrowableOfType(VerbsException.class, () -> queuePair.modify(change));

            assertThat(refused.verb()).isEqualTo("ibv_modify_qp");
            assertThat(refused).hasMessageContaining("200").hasMessageContaining("GID");
            assertState(queuePair, QueuePairState.INIT);
        }
    }

    @Test
    void shouldFlushEveryRequestExactlyOnceWhenMovedToError() {
        try (ConnectedPair pair = ConnectedPair.unconnected(PairOptions.usual())) {
            Endpoint endpoint = pair.left();
            QueuePair queuePair = endpoint.queuePair();
            // The peer stays in RESET and answers nothing, so that the sends stay outstanding.
            pair.connect(queuePair, pair.right().queuePair().number());
            for (int i = 0; i < 8; i++) {
                endpoint.receive(100 + i, 0, 8);
                endpoint.begin(WorkRequestOpcode.SEND, 200 + i);
                endpoint.post();
            }
            queuePair.moveToError();

            assertThat(endpoint.next(16))
                    .allSatisfy(each -> {
                        assertThat(each.status()).isEqualTo(WorkCompletionStatus.FLUSHED);
                        assertThat(each.queuePairNumber()).isEqualTo(queuePair.number());
                    })
                    .extracting(Completion::id)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.concat(LongStream.range(100, 108), LongStream.range(200, 208))
                                    .boxed()
                                    .toList());
            assertThat(Completion.drain(endpoint.completions())).isEmpty();
        }
    }

    /** Soft-RoCE of Linux 6.1 does not look at a receive that is posted in ERROR until something makes it. */
    @Test
    void shouldFlushAReceivePostedInErrorAtTheNextMoveAtLatest() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            pair.left().queuePair().moveToError();
            pair.left().receive(5, 0, 8);
            pair.left().queuePair().moveToError();

            Completion flushed = pair.left().next();

            assertThat(flushed.id()).isEqualTo(5);
            assertThat(flushed.status()).isEqualTo(WorkCompletionStatus.FLUSHED);
        }
    }

    private static void reconnect(ConnectedPair pair) {
        for (Endpoint endpoint : new Endpoint[] {pair.left(), pair.right()}) {
            endpoint.queuePair().modify(QueuePairChange.to(QueuePairState.RESET));
        }
        pair.connect(pair.left().queuePair(), pair.right().queuePair().number());
        pair.connect(pair.right().queuePair(), pair.left().queuePair().number());
    }

    private static void move(ConnectedPair pair, QueuePair queuePair, int moves) {
        if (moves > 0) {
            queuePair.modify(pair.toInit(queuePair.type()));
        }
        if (moves > 1) {
            queuePair.modify(pair.toReadyToReceive(
                    queuePair.type(), pair.right().queuePair().number()));
        }
        if (moves > 2) {
            queuePair.modify(pair.toReadyToSend(queuePair.type()));
        }
    }

    private static void assertState(QueuePair queuePair, QueuePairState state) {
        assertThat(queuePair.query().state()).isEqualTo(state);
    }

    private static void assertRefused(QueuePair queuePair, QueuePairChange change, String explanation) {
        assertThatThrownBy(() -> queuePair.modify(change))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL")
                .hasMessageContaining(explanation);
    }
}

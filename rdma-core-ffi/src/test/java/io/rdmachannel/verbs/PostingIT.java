// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

@RdmaTest
class PostingIT {
    @Test
    void shouldTellWhichSendOfAChainDidNotFit() {
        try (ConnectedPair pair = ConnectedPair.unconnected(PairOptions.usual().completions(1000))) {
            Endpoint left = pair.left();
            // The peer stays in RESET, so that nothing completes meanwhile.
            pair.connect(left.queuePair(), pair.right().queuePair().number());
            int depth = left.queuePair().capabilities().maxSendRequests();
            SendWorkRequests row = SendWorkRequests.allocate(4 * depth, 1, 0);
            for (int i = 0; i < row.slots(); i++) {
                row.begin(i, WorkRequestOpcode.SEND, i, true);
            }

            assertThat(left.queuePair().postSend(row, 0, row.slots())).isEqualTo(PostResult.QUEUE_FULL);
            int rejected = row.firstRejected();
            assertThat(rejected).isBetween(depth, row.slots() - 1);
            assertThat(left.queuePair().postSend(row, rejected)).isEqualTo(PostResult.QUEUE_FULL);
            assertThat(row.firstRejected()).isEqualTo(rejected);

            left.queuePair().moveToError();
            assertThat(left.next(rejected))
                    .extracting(Completion::id)
                    .containsExactlyElementsOf(
                            LongStream.range(0, rejected).boxed().toList());
            assertThat(Completion.drain(left.completions())).isEmpty();
        }
    }

    @Test
    void shouldTellWhichReceiveOfAChainDidNotFit() {
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().completions(1000))) {
            Endpoint left = pair.left();
            int depth = left.queuePair().capabilities().maxReceiveRequests();
            ReceiveWorkRequests row = ReceiveWorkRequests.allocate(4 * depth, 1);
            for (int i = 0; i < row.slots(); i++) {
                row.begin(i, i).add(i, left.region(), 0, 8);
            }

            assertThat(left.queuePair().postReceive(row, 0, row.slots())).isEqualTo(PostResult.QUEUE_FULL);
            int rejected = row.firstRejected();
            assertThat(rejected).isBetween(depth, row.slots() - 1);

            left.queuePair().moveToError();
            assertThat(left.next(rejected))
                    .extracting(Completion::id)
                    .startsWith(0L)
                    .endsWith(rejected - 1L);
        }
    }

    @Test
    void shouldPostAgainWhenCompletionsWerePolled() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            int depth = pair.left().queuePair().capabilities().maxSendRequests();
            for (int i = 0; i < 3 * depth; i++) {
                pair.right().receive(i, 0, 8);
                pair.left().begin(WorkRequestOpcode.SEND, i);
                pair.left().post();
                assertThat(pair.left().next().id()).isEqualTo(i);
                assertThat(pair.right().next().id()).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldRefuseSendsBeforeTheQueuePairIsReady() {
        try (ConnectedPair pair = ConnectedPair.unconnected(PairOptions.usual())) {
            Endpoint left = pair.left();
            left.begin(WorkRequestOpcode.SEND, 1);
            assertRefused(left.queuePair().postSend(left.sends(), 0));
            left.queuePair().modify(pair.toInit(left.queuePair().type()));
            assertRefused(left.queuePair().postSend(left.sends(), 0));
            assertThat(left.sends().firstRejected()).isZero();
        }
    }

    @Test
    void shouldTakeReceivesFromInitOnly() {
        try (ConnectedPair pair = ConnectedPair.unconnected(PairOptions.usual())) {
            Endpoint left = pair.left();
            left.receives().begin(0, 1).add(0, left.region(), 0, 8);
            assertRefused(left.queuePair().postReceive(left.receives(), 0));
            left.queuePair().modify(pair.toInit(left.queuePair().type()));
            assertThat(left.queuePair().postReceive(left.receives(), 0)).isEqualTo(PostResult.POSTED);
        }
    }

    @Test
    void shouldRefuseMoreThanWasGranted() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            Endpoint left = pair.left();
            QueuePairCapabilities granted = left.queuePair().capabilities();
            int elements = granted.maxSendScatterGather() + 1;
            int bytes = granted.maxInlineBytes() + 1;
            SendWorkRequests row = SendWorkRequests.allocate(2, elements, bytes);
            row.begin(0, WorkRequestOpcode.SEND, 1, true);
            for (int i = 0; i < elements; i++) {
                row.add(0, left.region(), i, 1);
            }
            row.begin(1, WorkRequestOpcode.SEND, 2, true).inline(1, MemorySegment.ofArray(new byte[bytes]), 0, bytes);

            assertThatThrownBy(() -> left.queuePair().postSend(row, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Integer.toString(elements));
            assertThatThrownBy(() -> left.queuePair().postSend(row, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Integer.toString(bytes));
        }
    }

    @Test
    void shouldPostToQueuesOfDepthZero() {
        PairOptions none = PairOptions.usual().capabilities(new QueuePairCapabilities(0, 0, 0, 0, 0));
        try (ConnectedPair pair = ConnectedPair.open(none)) {
            Endpoint left = pair.left();
            SendWorkRequests row = SendWorkRequests.allocate(4, 1, 0);
            ReceiveWorkRequests receives = ReceiveWorkRequests.allocate(4, 0);
            for (int i = 0; i < 4; i++) {
                row.begin(i, WorkRequestOpcode.SEND, i, false);
                receives.begin(i, i);
            }
            assertThat(left.queuePair().postSend(row, 0, 4)).isEqualTo(PostResult.QUEUE_FULL);
            assertThat(left.queuePair().postReceive(receives, 0, 4)).isEqualTo(PostResult.QUEUE_FULL);
        }
    }

    @Test
    void shouldSignalEverythingWhenAskedTo() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            QueuePairCapabilities sizes = new QueuePairCapabilities(8, 8, 1, 1, 0);
            QueuePairConfig config = QueuePairConfig.of(
                    QueuePairType.RELIABLE_CONNECTION, pair.left().completions(), sizes);
            QueuePair sender = pair.domain().createQueuePair(config.signalingAll());
            QueuePair receiver = pair.domain()
                    .createQueuePair(config.receivingOn(pair.right().completions()));
            pair.connect(sender, receiver.number());
            pair.connect(receiver, sender.number());
            receiver.postReceive(ReceiveWorkRequests.allocate(1, 0).begin(0, 3), 0);

            sender.postSend(SendWorkRequests.allocate(1, 1, 0).begin(0, WorkRequestOpcode.SEND, 4, false), 0);

            assertThat(pair.right().next().id()).isEqualTo(3);
            assertThat(pair.left().next().id()).isEqualTo(4);
        }
    }

    private static void assertRefused(int result) {
        assertThat(result).isNotEqualTo(PostResult.POSTED);
        assertThat(PostResult.describe(result)).contains("EINVAL").contains("state");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RdmaTest
class SharedReceiveQueueIT {
    private ConnectedPair pair;
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        pair = ConnectedPair.open(PairOptions.usual().withSharedReceives());
        left = pair.left();
        right = pair.right();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void shouldGrantAtLeastWhatWasAskedFor() {
        assertThat(right.sharedReceives().maxRequests()).isGreaterThanOrEqualTo(16);
        assertThat(right.sharedReceives().maxScatterGather()).isGreaterThanOrEqualTo(1);
        assertThat(right.sharedReceives().protectionDomain()).isSameAs(pair.domain());
    }

    @Test
    void shouldDeliverIntoSharedReceives() {
        left.fill(0, 2000, 8);
        right.receive(5, 64, 2000);
        send(left, 2000);

        Completion received = right.next();

        assertThat(received.id()).isEqualTo(5);
        assertThat(received.queuePairNumber()).isEqualTo(right.queuePair().number());
        assertThat(right.read(64, 2000)).isEqualTo(Endpoint.pattern(2000, 8));
    }

    @Test
    void shouldServeSeveralQueuePairs() {
        QueuePair second = attached();
        QueuePair peer = pair.domain()
                .createQueuePair(QueuePairConfig.of(
                        QueuePairType.RELIABLE_CONNECTION,
                        left.completions(),
                        new QueuePairCapabilities(8, 8, 1, 1, 0)));
        pair.connect(second, peer.number());
        pair.connect(peer, second.number());
        right.receive(1, 0, 16);
        right.receive(2, 16, 16);

        send(left, 4);
        assertThat(right.next().queuePairNumber()).isEqualTo(right.queuePair().number());
        left.begin(WorkRequestOpcode.SEND, 9).add(0, left.region(), 0, 8);
        assertThat(peer.postSend(left.sends(), 0)).isEqualTo(PostResult.POSTED);

        Completion received = right.next();
        assertThat(received.queuePairNumber()).isEqualTo(second.number());
        assertThat(received.id()).isEqualTo(2);
        assertThat(received.byteLength()).isEqualTo(8);
    }

    @Test
    void shouldSayOnceThatFewReceivesAreLeft() {
        SharedReceiveQueue queue = right.sharedReceives();
        for (int i = 0; i < 4; i++) {
            right.receive(i, 0, 16);
        }
        queue.armLimit(3);
        assertThat(queue.armedLimit()).isEqualTo(3);
        send(left, 1);
        send(left, 1);
        assertThat(right.next(2)).hasSize(2);

        AsyncEvent event =
                CompletionQueueIT.awaitEvent(pair.context(), AsyncEventType.SHARED_RECEIVE_QUEUE_LIMIT_REACHED);

        assertThat(event.element()).containsSame(queue);
        assertThat(queue.armedLimit()).isZero();
        send(left, 1);
        assertThat(right.next()).isNotNull();
        assertThat(pair.context().awaitAsyncEvent(20, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void shouldTellWhichReceiveDidNotFit() {
        SharedReceiveQueue queue = right.sharedReceives();
        int room = queue.maxRequests();
        ReceiveWorkRequests row = ReceiveWorkRequests.allocate(4 * room, 1);
        for (int i = 0; i < row.slots(); i++) {
            row.begin(i, i).add(i, right.region(), 0, 8);
        }

        assertThat(queue.postReceive(row, 0, row.slots())).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(row.firstRejected()).isBetween(room, row.slots() - 1);
    }

    @Test
    void shouldRefuseReceivesOnAnAttachedQueuePair() {
        right.receives().begin(0, 1);

        assertThatThrownBy(() -> right.queuePair().postReceive(right.receives(), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shared receive queue");
    }

    @Test
    void shouldNameTheLimitsWhenTooMuchIsAskedFor() {
        DeviceAttributes.QueueLimits limits = pair.context().attributes().queueLimits();

        for (SharedReceiveQueueConfig config : new SharedReceiveQueueConfig[] {
            SharedReceiveQueueConfig.of(limits.maxSharedReceiveRequests() + 1, 1),
            SharedReceiveQueueConfig.of(1, limits.maxSharedReceiveScatterGather() + 1),
            SharedReceiveQueueConfig.of(Integer.MAX_VALUE, Integer.MAX_VALUE)
        }) {
            assertThatThrownBy(() -> pair.domain().createSharedReceiveQueue(config))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(Integer.toString(limits.maxSharedReceiveRequests()))
                    .hasMessageContaining(Integer.toString(limits.maxSharedReceiveScatterGather()));
        }
    }

    @Test
    void shouldRefuseALimitOutOfRange() {
        SharedReceiveQueue queue = right.sharedReceives();
        for (int limit : new int[] {-1, queue.maxRequests() + 1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> queue.armLimit(limit)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldCloseTheQueuePairsAttached() {
        QueuePair second = attached();

        right.sharedReceives().close();

        assertThatThrownBy(second::query).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(right.queuePair()::query).isInstanceOf(IllegalStateException.class);
        assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    private QueuePair attached() {
        return pair.domain()
                .createQueuePair(QueuePairConfig.of(
                                QueuePairType.RELIABLE_CONNECTION,
                                right.completions(),
                                new QueuePairCapabilities(8, 0, 1, 0, 0))
                        .takingReceivesFrom(right.sharedReceives()));
    }

    private static void send(Endpoint from, int length) {
        from.begin(WorkRequestOpcode.SEND, 1).add(0, from.region(), 0, length);
        from.post();
        assertThat(from.next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
    }
}

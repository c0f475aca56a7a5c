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
import org.junit.jupiter.api.Test;

@RdmaTest
class UnreliableServicesIT {
    private static final int ROUTING_HEADER = 40;

    @Test
    void shouldSendDatagramsToAnAddress() {
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().type(QueuePairType.UNRELIABLE_DATAGRAM));
                AddressHandle destination = pair.domain().createAddressHandle(pair.route())) {
            assertThat(destination.destination()).isEqualTo(pair.route());
            pair.left().fill(0, 500, 4);
            pair.right().receive(1, 0, 600);
            datagram(pair, destination, pair.queueKey()).add(0, pair.left().region(), 0, 500);
            pair.left().post();

            Completion received = pair.right().next();

            assertThat(received.byteLength()).isEqualTo(500 + ROUTING_HEADER);
            assertThat(pair.right().read(ROUTING_HEADER, 500)).isEqualTo(Endpoint.pattern(500, 4));
            assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
    }

    @Test
    void shouldTellTheSenderOfADatagram() {
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().type(QueuePairType.UNRELIABLE_DATAGRAM));
                AddressHandle destination = pair.domain().createAddressHandle(pair.route())) {
            pair.right().receive(1, 0, 600);
            datagram(pair, destination, pair.queueKey());
            pair.left().post();
            assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            WorkCompletions room = WorkCompletions.ofCapacity(1);
            Deadline.usual()
                    .await("a datagram", () -> pair.right().completions().poll(room) == 1);

            assertThat(room.sourceQueuePairNumber(0))
                    .isEqualTo(pair.left().queuePair().number());
            assertThat(room.flags(0)).contains(WorkCompletionFlag.GLOBAL_ROUTING_HEADER);
            assertThat(room.byteLength(0)).isEqualTo(ROUTING_HEADER);
        }
    }

    @Test
    void shouldDropADatagramWithAWrongQueueKey() {
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().type(QueuePairType.UNRELIABLE_DATAGRAM));
                AddressHandle destination = pair.domain().createAddressHandle(pair.route())) {
            pair.right().receive(1, 0, 600);
            datagram(pair, destination, pair.queueKey() + 1);
            pair.left().post();
            assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            pair.right().receive(2, 0, 600);
            datagram(pair, destination, pair.queueKey());
            pair.left().post();

            assertThat(pair.right().next().id()).isEqualTo(1);
            assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(Completion.drain(pair.right().completions())).isEmpty();
        }
    }

    @Test
    void shouldFailADatagramLargerThanAPacket() {
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().type(QueuePairType.UNRELIABLE_DATAGRAM));
                AddressHandle destination = pair.domain().createAddressHandle(pair.route())) {
            int length = pair.device().mtu().bytes() + 1;
            pair.right().receive(1, 0, 8192);
            datagram(pair, destination, pair.queueKey()).add(0, pair.left().region(), 0, length);
            pair.left().post();

            // Soft-RoCE says success and sends nothing; the specification has a length error.
            assertThat(pair.left().next().status())
                    .isIn(WorkCompletionStatus.SUCCESS, WorkCompletionStatus.LOCAL_LENGTH_ERROR);
            assertThat(Completion.drain(pair.right().completions())).isEmpty();
        }
    }

    @Test
    void shouldRefuseAnAddressWithAnEmptyGidEntry() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            AddressVector route = AddressVector.toGid(
                    pair.device().port(), GlobalRoute.to(pair.device().gid().gid(), 200));

            assertThatThrownBy(() -> pair.domain().createAddressHandle(route))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("ibv_create_ah")
                    .hasMessageContaining("200");
        }
    }

    @Test
    void shouldSendAndWriteOverAnUnreliableConnection() {
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().type(QueuePairType.UNRELIABLE_CONNECTION))) {
            Endpoint left = pair.left();
            Endpoint right = pair.right();
            left.fill(0, 3000, 6);
            right.receive(1, 0, 3000);
            left.begin(WorkRequestOpcode.SEND, 2).add(0, left.region(), 0, 3000);
            left.post();
            assertThat(right.next().byteLength()).isEqualTo(3000);
            assertThat(right.read(0, 3000)).isEqualTo(Endpoint.pattern(3000, 6));
            assertThat(left.next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);

            right.receive(3, 0, 8);
            left.begin(WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, 4)
                    .immediate(0, 77)
                    .add(0, left.region(), 0, 2000)
                    .remote(0, right.region().address() + 10_000, right.region().remoteKey());
            left.post();
            assertThat(right.next().immediate()).contains(77);
            assertThat(right.read(10_000, 2000)).isEqualTo(Endpoint.pattern(2000, 6));
            assertThat(left.next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
    }

    @Test
    void shouldRefuseToReadOverAnUnreliableConnection() {
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().type(QueuePairType.UNRELIABLE_CONNECTION))) {
            Endpoint left = pair.left();
            left.begin(WorkRequestOpcode.RDMA_READ, 4)
                    .add(0, left.region(), 0, 16)
                    .remote(
                            0,
                            pair.right().region().address(),
                            pair.right().region().remoteKey());

            int result = left.queuePair().postSend(left.sends(), 0);

            // Either the provider refuses the request at once, or its completion says so.
            if (result == PostResult.POSTED) {
                assertThat(left.next().status()).isNotEqualTo(WorkCompletionStatus.SUCCESS);
            } else {
                assertThat(PostResult.describe(result)).contains("refused");
            }
        }
    }

    private static SendWorkRequests datagram(ConnectedPair pair, AddressHandle destination, int queueKey) {
        return pair.left()
                .begin(WorkRequestOpcode.SEND, 2)
                .destination(0, destination, pair.right().queuePair().number(), queueKey);
    }
}

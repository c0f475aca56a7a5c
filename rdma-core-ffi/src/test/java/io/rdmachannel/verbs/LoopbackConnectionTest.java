// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.LoopbackTest;
import io.rdmachannel.testing.PairOptions;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That the stand-in looks at what connects two queue pairs as closely as a device does, or more. */
@LoopbackTest
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class LoopbackConnectionTest {
    private static final int SEQUENCE = 0x123;

    private ConnectedPair pair;

    @AfterEach
    void close() {
        if (pair != null) {
            pair.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldHaveTheAddressesOfThisHostAsGids(String address) throws Exception {
        pair = ConnectedPair.open();
        Gid gid = Gid.ofInetAddress(InetAddress.getByName(address));

        List<GidEntry> table = pair.context().gidTable(1);

        assertThat(table)
                .filteredOn(entry -> entry.gid().equals(gid))
                .extracting(GidEntry::type)
                .containsExactly(GidType.ROCE_V1, GidType.ROCE_V2);
        assertThat(table).extracting(GidEntry::index).doesNotContain(0);
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairAttribute.class,
            names = {
                "ADDRESS_VECTOR",
                "PATH_MTU",
                "DESTINATION_QUEUE_PAIR_NUMBER",
                "RECEIVE_PACKET_SEQUENCE_NUMBER",
                "MAX_RESPONDER_READS",
                "MIN_RNR_TIMER"
            })
    void shouldRefuseToReceiveWithoutAnAttribute(QueuePairAttribute missing) {
        pair = ConnectedPair.unconnected(PairOptions.usual());
        QueuePair queuePair = pair.left().queuePair();
        queuePair.modify(pair.toInit(queuePair.type()));

        assertThatThrownBy(() -> queuePair.modify(toReadyToReceiveWithout(missing)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL")
                .hasMessageContaining(missing.toString());
        assertThat(queuePair.query().state()).isEqualTo(QueuePairState.INIT);
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairAttribute.class,
            names = {"TIMEOUT", "RETRY_COUNT", "RNR_RETRY", "SEND_PACKET_SEQUENCE_NUMBER", "MAX_OUTSTANDING_READS"})
    void shouldRefuseToSendWithoutAnAttribute(QueuePairAttribute missing) {
        pair = ConnectedPair.unconnected(PairOptions.usual());
        QueuePair queuePair = pair.left().queuePair();
        queuePair.modify(pair.toInit(queuePair.type()));
        queuePair.modify(pair.toReadyToReceive(queuePair.type(), 1000));

        assertThatThrownBy(() -> queuePair.modify(toReadyToSendWithout(missing)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL")
                .hasMessageContaining(missing.toString());
        assertThat(queuePair.query().state()).isEqualTo(QueuePairState.READY_TO_RECEIVE);
    }

    @Test
    void shouldFindNobodyAtAnAddressOfNoHost() {
        pair = ConnectedPair.unconnected(PairOptions.usual());
        QueuePair queuePair = pair.left().queuePair();
        queuePair.modify(pair.toInit(queuePair.type()));
        GlobalRoute nowhere = GlobalRoute.to(
                Gid.parse("::ffff:192.0.2.77"), pair.device().gid().index());

        assertThatThrownBy(() -> queuePair.modify(
                        pair.toReadyToReceive(queuePair.type(), 1000).addressVector(AddressVector.toGid(1, nowhere))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("ETIMEDOUT");
    }

    @Test
    void shouldRefuseAnEmptyEntryOfTheGidTable() {
        pair = ConnectedPair.unconnected(PairOptions.usual());
        QueuePair queuePair = pair.left().queuePair();
        queuePair.modify(pair.toInit(queuePair.type()));
        GlobalRoute empty = GlobalRoute.to(pair.device().gid().gid(), 0);

        assertThatThrownBy(() -> queuePair.modify(
                        pair.toReadyToReceive(queuePair.type(), 1000).addressVector(AddressVector.toGid(1, empty))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL");
    }

    @Test
    void shouldNotAnswerAWrongSequenceNumber() {
        pair = ConnectedPair.unconnected(PairOptions.usual());
        pair.connect(pair.right().queuePair(), pair.left().queuePair().number());
        QueuePair queuePair = pair.left().queuePair();
        queuePair.modify(pair.toInit(queuePair.type()));
        queuePair.modify(
                pair.toReadyToReceive(queuePair.type(), pair.right().queuePair().number()));
        queuePair.modify(pair.toReadyToSend(queuePair.type()).sendPacketSequenceNumber(SEQUENCE));

        assertUnanswered(16);
    }

    @Test
    void shouldNotAnswerAQueuePairThatIsNotItsPeer() {
        pair = ConnectedPair.unconnected(PairOptions.usual());
        pair.connect(pair.left().queuePair(), pair.right().queuePair().number());
        pair.connect(pair.right().queuePair(), 0xFF_FFF0);

        assertUnanswered(16);
    }

    @Test
    void shouldLoseLongMessagesWhenThePathMtuIsLargerThanThePortsActiveOne() {
        pair = ConnectedPair.unconnected(PairOptions.usual());
        for (Endpoint end : List.of(pair.left(), pair.right())) {
            Endpoint other = end == pair.left() ? pair.right() : pair.left();
            QueuePair queuePair = end.queuePair();
            queuePair.modify(pair.toInit(queuePair.type()));
            queuePair.modify(
                    pair.toReadyToReceive(queuePair.type(), other.queuePair().number())
                            .pathMtu(PathMtu.MTU_4096));
            queuePair.modify(pair.toReadyToSend(queuePair.type()));
        }
        pair.right().receive(1, 0, 4096);
        send(1024);
        assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(pair.right().next().byteLength()).isEqualTo(1024);

        assertUnanswered(1025);
    }

    @Test
    void shouldWaitForAReceiveWithoutEndWhenToldTo() {
        pair = ConnectedPair.open(PairOptions.usual().rnrRetry(7));
        send(16);
        assertThat(Completion.drain(pair.left().completions())).isEmpty();

        pair.right().receive(1, 0, 64);

        assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(pair.right().next().byteLength()).isEqualTo(16);
    }

    @Test
    void shouldWaitForAReceiveInASharedQueueToo() {
        pair = ConnectedPair.open(PairOptions.usual().rnrRetry(7).withSharedReceives());
        send(16);
        assertThat(Completion.drain(pair.left().completions())).isEmpty();

        pair.right().receive(1, 0, 64);

        assertThat(pair.right().next().byteLength()).isEqualTo(16);
    }

    @Test
    void shouldGiveUpWaitingWhenThePeerGoes() {
        pair = ConnectedPair.open(PairOptions.usual().rnrRetry(7));
        send(16);
        assertThat(Completion.drain(pair.left().completions())).isEmpty();

        pair.right().queuePair().close();

        assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.RETRY_EXCEEDED_ERROR);
    }

    @Test
    void shouldSendNothingWhileTheSendQueueIsDrained() {
        pair = ConnectedPair.open();
        QueuePair queuePair = pair.left().queuePair();
        pair.right().receive(1, 0, 64);
        queuePair.modify(QueuePairChange.to(QueuePairState.SEND_QUEUE_DRAINED));
        send(16);
        assertThat(Completion.drain(pair.right().completions())).isEmpty();

        queuePair.modify(QueuePairChange.to(QueuePairState.READY_TO_SEND));

        assertThat(pair.right().next().byteLength()).isEqualTo(16);
        assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
    }

    @Test
    void shouldGiveANumberAgainAtOnce() {
        pair = ConnectedPair.open();
        int number = pair.right().queuePair().number();
        pair.right().queuePair().close();

        try (QueuePair next = pair.domain()
                .createQueuePair(QueuePairConfig.of(
                        QueuePairType.RELIABLE_CONNECTION,
                        pair.right().completions(),
                        new QueuePairCapabilities(1, 1, 1, 1, 0)))) {
            assertThat(next.number()).isEqualTo(number);
        }
    }

    private QueuePairChange toReadyToReceiveWithout(QueuePairAttribute missing) {
        QueuePairChange change = QueuePairChange.to(QueuePairState.READY_TO_RECEIVE);
        for (QueuePairAttribute each : QueuePairTransitions.required(
                QueuePairType.RELIABLE_CONNECTION, QueuePairState.INIT, QueuePairState.READY_TO_RECEIVE)) {
            if (each != missing) {
                set(change, each);
            }
        }
        return change;
    }

    private QueuePairChange toReadyToSendWithout(QueuePairAttribute missing) {
        QueuePairChange change = QueuePairChange.to(QueuePairState.READY_TO_SEND);
        for (QueuePairAttribute each : QueuePairTransitions.required(
                QueuePairType.RELIABLE_CONNECTION, QueuePairState.READY_TO_RECEIVE, QueuePairState.READY_TO_SEND)) {
            if (each != missing) {
                set(change, each);
            }
        }
        return change;
    }

    private void set(QueuePairChange change, QueuePairAttribute attribute) {
        switch (attribute) {
            case ADDRESS_VECTOR -> change.addressVector(pair.route());
            case PATH_MTU -> change.pathMtu(PathMtu.MTU_1024);
            case DESTINATION_QUEUE_PAIR_NUMBER -> change.destinationQueuePairNumber(1000);
            case RECEIVE_PACKET_SEQUENCE_NUMBER -> change.receivePacketSequenceNumber(SEQUENCE);
            case MAX_RESPONDER_READS -> change.maxResponderReads(1);
            case MIN_RNR_TIMER -> change.minRnrTimer(1);
            case TIMEOUT -> change.timeout(14);
            case RETRY_COUNT -> change.retryCount(7);
            case RNR_RETRY -> change.rnrRetry(7);
            case SEND_PACKET_SEQUENCE_NUMBER -> change.sendPacketSequenceNumber(SEQUENCE);
            case MAX_OUTSTANDING_READS -> change.maxOutstandingReads(1);
            default -> throw new AssertionError(attribute + " is required by neither move");
        }
    }

    private void send(long bytes) {
        pair.left().begin(WorkRequestOpcode.SEND, 2).add(0, pair.left().region(), 0, bytes);
        pair.left().post();
    }

    private void assertUnanswered(long bytes) {
        pair.right().receive(9, 0, 8192);
        send(bytes);
        assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.RETRY_EXCEEDED_ERROR);
        assertThat(Completion.drain(pair.right().completions())).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static io.rdmachannel.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static io.rdmachannel.verbs.QueuePairAttribute.ADDRESS_VECTOR;
import static io.rdmachannel.verbs.QueuePairAttribute.ALTERNATE_PATH;
import static io.rdmachannel.verbs.QueuePairAttribute.CAPABILITIES;
import static io.rdmachannel.verbs.QueuePairAttribute.CURRENT_STATE;
import static io.rdmachannel.verbs.QueuePairAttribute.DESTINATION_QUEUE_PAIR_NUMBER;
import static io.rdmachannel.verbs.QueuePairAttribute.ENABLE_SQD_ASYNC_NOTIFY;
import static io.rdmachannel.verbs.QueuePairAttribute.MAX_OUTSTANDING_READS;
import static io.rdmachannel.verbs.QueuePairAttribute.MAX_RESPONDER_READS;
import static io.rdmachannel.verbs.QueuePairAttribute.MIN_RNR_TIMER;
import static io.rdmachannel.verbs.QueuePairAttribute.PARTITION_KEY_INDEX;
import static io.rdmachannel.verbs.QueuePairAttribute.PATH_MIGRATION_STATE;
import static io.rdmachannel.verbs.QueuePairAttribute.PATH_MTU;
import static io.rdmachannel.verbs.QueuePairAttribute.PORT;
import static io.rdmachannel.verbs.QueuePairAttribute.QUEUE_KEY;
import static io.rdmachannel.verbs.QueuePairAttribute.RATE_LIMIT;
import static io.rdmachannel.verbs.QueuePairAttribute.RECEIVE_PACKET_SEQUENCE_NUMBER;
import static io.rdmachannel.verbs.QueuePairAttribute.RETRY_COUNT;
import static io.rdmachannel.verbs.QueuePairAttribute.RNR_RETRY;
import static io.rdmachannel.verbs.QueuePairAttribute.SEND_PACKET_SEQUENCE_NUMBER;
import static io.rdmachannel.verbs.QueuePairAttribute.STATE;
import static io.rdmachannel.verbs.QueuePairAttribute.TIMEOUT;
import static io.rdmachannel.verbs.QueuePairState.ERROR;
import static io.rdmachannel.verbs.QueuePairState.INIT;
import static io.rdmachannel.verbs.QueuePairState.READY_TO_RECEIVE;
import static io.rdmachannel.verbs.QueuePairState.READY_TO_SEND;
import static io.rdmachannel.verbs.QueuePairState.RESET;
import static io.rdmachannel.verbs.QueuePairState.SEND_QUEUE_DRAINED;
import static io.rdmachannel.verbs.QueuePairState.SEND_QUEUE_ERROR;
import static io.rdmachannel.verbs.QueuePairState.UNKNOWN;
import static io.rdmachannel.verbs.QueuePairType.RELIABLE_CONNECTION;
import static io.rdmachannel.verbs.QueuePairType.UNRELIABLE_CONNECTION;
import static io.rdmachannel.verbs.QueuePairType.UNRELIABLE_DATAGRAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class QueuePairTransitionsTest {
    /** Where each state leads, for all three types alike. */
    private static final Map<QueuePairState, Set<QueuePairState>> REACHABLE = Map.of(
            RESET, Set.of(RESET, INIT),
            INIT, Set.of(RESET, INIT, READY_TO_RECEIVE, ERROR),
            READY_TO_RECEIVE, Set.of(RESET, READY_TO_SEND, ERROR),
            READY_TO_SEND, Set.of(RESET, READY_TO_SEND, SEND_QUEUE_DRAINED, ERROR),
            SEND_QUEUE_DRAINED, Set.of(RESET, READY_TO_SEND, SEND_QUEUE_DRAINED, ERROR),
            SEND_QUEUE_ERROR, Set.of(RESET, READY_TO_SEND, ERROR),
            ERROR, Set.of(RESET, ERROR),
            UNKNOWN, Set.of());

    static Stream<Arguments> everyPairOfStates() {
        return Stream.of(QueuePairType.values())
                .flatMap(type -> Stream.of(QueuePairState.values())
                        .flatMap(from -> Stream.of(QueuePairState.values()).map(to -> Arguments.of(type, from, to))));
    }

    @ParameterizedTest
    @MethodSource("everyPairOfStates")
    void everyMoveIsLegalOrNotAsTheKernelHasIt(QueuePairType type, QueuePairState from, QueuePairState to) {
        boolean legal = REACHABLE.get(from).contains(to);

        assertThat(QueuePairTransitions.isLegal(type, from, to)).isEqualTo(legal);
        assertThat(QueuePairTransitions.reachable(type, from).contains(to)).isEqualTo(legal);
    }

    @ParameterizedTest
    @MethodSource("everyPairOfStates")
    void theRequiredAttributesAloneSatisfyEveryLegalMove(QueuePairType type, QueuePairState from, QueuePairState to) {
        if (!QueuePairTransitions.isLegal(type, from, to)) {
            assertThat(QueuePairTransitions.explain(type, from, to, Set.of())).isPresent();
            assertThatIllegalArgumentException().isThrownBy(() -> QueuePairTransitions.required(type, from, to));
            assertThatIllegalArgumentException().isThrownBy(() -> QueuePairTransitions.optional(type, from, to));
            return;
        }
        Set<QueuePairAttribute> required = QueuePairTransitions.required(type, from, to);
        Set<QueuePairAttribute> optional = QueuePairTransitions.optional(type, from, to);

        assertThat(required).doesNotContain(STATE).noneMatch(optional::contains);
        assertThat(optional).doesNotContain(STATE);
        assertThat(QueuePairTransitions.explain(type, from, to, required)).isEmpty();
        assertThat(QueuePairTransitions.explain(type, from, to, withState(union(required, optional))))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("everyPairOfStates")
    void leavingOutAnyRequiredAttributeIsNamed(QueuePairType type, QueuePairState from, QueuePairState to) {
        if (!QueuePairTransitions.isLegal(type, from, to)) {
            return;
        }
        for (QueuePairAttribute left : QueuePairTransitions.required(type, from, to)) {
            Set<QueuePairAttribute> given = union(QueuePairTransitions.required(type, from, to), Set.of());
            given.remove(left);
            assertThat(QueuePairTransitions.explain(type, from, to, given).orElseThrow())
                    .contains("needs " + left + ", which is not set");
        }
    }

    @ParameterizedTest
    @MethodSource("everyPairOfStates")
    void everyAttributeThatIsNeitherRequiredNorOptionalIsNamed(
            QueuePairType type, QueuePairState from, QueuePairState to) {
        if (!QueuePairTransitions.isLegal(type, from, to)) {
            return;
        }
        Set<QueuePairAttribute> required = QueuePairTransitions.required(type, from, to);
        Set<QueuePairAttribute> others = EnumSet.complementOf(
                EnumSet.copyOf(withState(union(required, QueuePairTransitions.optional(type, from, to)))));
        for (QueuePairAttribute other : others) {
            assertThat(QueuePairTransitions.explain(type, from, to, union(required, Set.of(other)))
                            .orElseThrow())
                    .endsWith("does not accept " + other);
        }
    }

    @Test
    void resetToInitRequiresPortPartitionAndRightsOrQueueKey() {
        assertThat(QueuePairTransitions.required(RELIABLE_CONNECTION, RESET, INIT))
                .containsExactlyInAnyOrder(PARTITION_KEY_INDEX, PORT, ACCESS_FLAGS);
        assertThat(QueuePairTransitions.required(UNRELIABLE_CONNECTION, RESET, INIT))
                .containsExactlyInAnyOrder(PARTITION_KEY_INDEX, PORT, ACCESS_FLAGS);
        assertThat(QueuePairTransitions.required(UNRELIABLE_DATAGRAM, RESET, INIT))
                .containsExactlyInAnyOrder(PARTITION_KEY_INDEX, PORT, QUEUE_KEY);
        for (QueuePairType type : QueuePairType.values()) {
            assertThat(QueuePairTransitions.optional(type, RESET, INIT)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void initToInitChangesWhatResetToInitHasSet(QueuePairType type) {
        assertThat(QueuePairTransitions.required(type, INIT, INIT)).isEmpty();
        assertThat(QueuePairTransitions.optional(type, INIT, INIT))
                .isEqualTo(QueuePairTransitions.required(type, RESET, INIT));
    }

    @Test
    void initToReadyToReceiveOfAReliableConnectionRequiresExactlySix() {
        assertThat(QueuePairTransitions.required(RELIABLE_CONNECTION, INIT, READY_TO_RECEIVE))
                .containsExactlyInAnyOrder(
                        ADDRESS_VECTOR,
                        PATH_MTU,
                        DESTINATION_QUEUE_PAIR_NUMBER,
                        RECEIVE_PACKET_SEQUENCE_NUMBER,
                        MAX_RESPONDER_READS,
                        MIN_RNR_TIMER);
        assertThat(QueuePairTransitions.optional(RELIABLE_CONNECTION, INIT, READY_TO_RECEIVE))
                .containsExactlyInAnyOrder(ALTERNATE_PATH, ACCESS_FLAGS, PARTITION_KEY_INDEX);
    }

    @Test
    void initToReadyToReceiveOfAnUnreliableConnectionKnowsNoReadsAndNoTimer() {
        assertThat(QueuePairTransitions.required(UNRELIABLE_CONNECTION, INIT, READY_TO_RECEIVE))
                .containsExactlyInAnyOrder(
                        ADDRESS_VECTOR, PATH_MTU, DESTINATION_QUEUE_PAIR_NUMBER, RECEIVE_PACKET_SEQUENCE_NUMBER);
        assertThat(QueuePairTransitions.optional(UNRELIABLE_CONNECTION, INIT, READY_TO_RECEIVE))
                .containsExactlyInAnyOrder(ALTERNATE_PATH, ACCESS_FLAGS, PARTITION_KEY_INDEX);
    }

    @Test
    void initToReadyToReceiveOfADatagramRequiresNothing() {
        assertThat(QueuePairTransitions.required(UNRELIABLE_DATAGRAM, INIT, READY_TO_RECEIVE))
                .isEmpty();
        assertThat(QueuePairTransitions.optional(UNRELIABLE_DATAGRAM, INIT, READY_TO_RECEIVE))
                .containsExactlyInAnyOrder(PARTITION_KEY_INDEX, QUEUE_KEY);
    }

    @Test
    void readyToReceiveToReadyToSendOfAReliableConnectionRequiresTheRetries() {
        assertThat(QueuePairTransitions.required(RELIABLE_CONNECTION, READY_TO_RECEIVE, READY_TO_SEND))
                .containsExactlyInAnyOrder(
                        TIMEOUT, RETRY_COUNT, RNR_RETRY, SEND_PACKET_SEQUENCE_NUMBER, MAX_OUTSTANDING_READS);
        assertThat(QueuePairTransitions.optional(RELIABLE_CONNECTION, READY_TO_RECEIVE, READY_TO_SEND))
                .containsExactlyInAnyOrder(
                        CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIGRATION_STATE);
    }

    @Test
    void readyToReceiveToReadyToSendOfUnreliableTypesRequiresTheSequenceNumberOnly() {
        assertThat(QueuePairTransitions.required(UNRELIABLE_CONNECTION, READY_TO_RECEIVE, READY_TO_SEND))
                .containsExactly(SEND_PACKET_SEQUENCE_NUMBER);
        assertThat(QueuePairTransitions.optional(UNRELIABLE_CONNECTION, READY_TO_RECEIVE, READY_TO_SEND))
                .containsExactlyInAnyOrder(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, PATH_MIGRATION_STATE);
        assertThat(QueuePairTransitions.required(UNRELIABLE_DATAGRAM, READY_TO_RECEIVE, READY_TO_SEND))
                .containsExactly(SEND_PACKET_SEQUENCE_NUMBER);
        assertThat(QueuePairTransitions.optional(UNRELIABLE_DATAGRAM, READY_TO_RECEIVE, READY_TO_SEND))
                .containsExactlyInAnyOrder(CURRENT_STATE, QUEUE_KEY);
    }

    @ParameterizedTest
    @EnumSource
    void drainingTheSendQueueMayAskForAnEvent(QueuePairType type) {
        assertThat(QueuePairTransitions.required(type, READY_TO_SEND, SEND_QUEUE_DRAINED))
                .isEmpty();
        assertThat(QueuePairTransitions.optional(type, READY_TO_SEND, SEND_QUEUE_DRAINED))
                .containsExactly(ENABLE_SQD_ASYNC_NOTIFY);
    }

    @ParameterizedTest
    @EnumSource
    void comingBackFromDrainedPermitsWhatReadyToSendPermits(QueuePairType type) {
        assertThat(QueuePairTransitions.optional(type, SEND_QUEUE_DRAINED, READY_TO_SEND))
                .isEqualTo(QueuePairTransitions.optional(type, READY_TO_SEND, READY_TO_SEND));
    }

    @Test
    void aDrainedReliableConnectionMayChangeItsPath() {
        assertThat(QueuePairTransitions.optional(RELIABLE_CONNECTION, SEND_QUEUE_DRAINED, SEND_QUEUE_DRAINED))
                .containsExactlyInAnyOrder(
                        PORT,
                        ADDRESS_VECTOR,
                        TIMEOUT,
                        RETRY_COUNT,
                        RNR_RETRY,
                        MAX_OUTSTANDING_READS,
                        MAX_RESPONDER_READS,
                        ALTERNATE_PATH,
                        ACCESS_FLAGS,
                        PARTITION_KEY_INDEX,
                        MIN_RNR_TIMER,
                        PATH_MIGRATION_STATE);
        assertThat(QueuePairTransitions.optional(UNRELIABLE_CONNECTION, SEND_QUEUE_DRAINED, SEND_QUEUE_DRAINED))
                .containsExactlyInAnyOrder(
                        ADDRESS_VECTOR, ALTERNATE_PATH, ACCESS_FLAGS, PARTITION_KEY_INDEX, PATH_MIGRATION_STATE);
        assertThat(QueuePairTransitions.optional(UNRELIABLE_DATAGRAM, SEND_QUEUE_DRAINED, SEND_QUEUE_DRAINED))
                .containsExactlyInAnyOrder(PARTITION_KEY_INDEX, QUEUE_KEY);
    }

    @Test
    void recoveringFromASendErrorPermitsLittle() {
        assertThat(QueuePairTransitions.optional(RELIABLE_CONNECTION, SEND_QUEUE_ERROR, READY_TO_SEND))
                .isEmpty();
        assertThat(QueuePairTransitions.optional(UNRELIABLE_CONNECTION, SEND_QUEUE_ERROR, READY_TO_SEND))
                .containsExactlyInAnyOrder(CURRENT_STATE, ACCESS_FLAGS);
        assertThat(QueuePairTransitions.optional(UNRELIABLE_DATAGRAM, SEND_QUEUE_ERROR, READY_TO_SEND))
                .containsExactlyInAnyOrder(CURRENT_STATE, QUEUE_KEY);
    }

    @ParameterizedTest
    @MethodSource("everyPairOfStates")
    void resetAndErrorTakeNoAttributes(QueuePairType type, QueuePairState from, QueuePairState to) {
        if ((to == RESET || to == ERROR) && QueuePairTransitions.isLegal(type, from, to)) {
            assertThat(QueuePairTransitions.required(type, from, to)).isEmpty();
            assertThat(QueuePairTransitions.optional(type, from, to)).isEmpty();
        }
    }

    @Test
    void noTypeResizesOrLimitsItsRateInAnyMove() {
        everyPairOfStates().map(Arguments::get).forEach(move -> {
            QueuePairType type = (QueuePairType) move[0];
            QueuePairState from = (QueuePairState) move[1];
            QueuePairState to = (QueuePairState) move[2];
            assertThat(QueuePairTransitions.explain(type, from, to, Set.of(CAPABILITIES, RATE_LIMIT)))
                    .isPresent();
        });
    }

    @Test
    void explanationOfAnIllegalMoveNamesTheLegalOnes() {
        assertThat(QueuePairTransitions.explain(RELIABLE_CONNECTION, RESET, READY_TO_SEND, Set.of()))
                .contains("RESET to READY_TO_SEND of a queue pair of type RELIABLE_CONNECTION is not a legal move:"
                        + " from RESET it can go to RESET, INIT");
        assertThatThrownBy(() -> QueuePairTransitions.required(UNRELIABLE_DATAGRAM, ERROR, READY_TO_SEND))
                .hasMessage("ERROR to READY_TO_SEND of a queue pair of type UNRELIABLE_DATAGRAM is not a legal move:"
                        + " from ERROR it can go to RESET, ERROR");
    }

    @Test
    void explanationFromAnUnknownStateSaysToQueryIt() {
        assertThat(QueuePairTransitions.explain(RELIABLE_CONNECTION, UNKNOWN, RESET, Set.of()))
                .hasValueSatisfying(
                        text -> assertThat(text).endsWith("query the state first, or destroy the queue pair"));
    }

    @Test
    void explanationNamesMissingAndSuperfluousTogether() {
        assertThat(QueuePairTransitions.explain(
                        RELIABLE_CONNECTION, RESET, INIT, Set.of(STATE, PORT, QUEUE_KEY, PATH_MTU)))
                .contains("RESET to INIT of a queue pair of type RELIABLE_CONNECTION"
                        + " needs ACCESS_FLAGS, PARTITION_KEY_INDEX,"
                        + " which are not set, and does not accept QUEUE_KEY, PATH_MTU");
    }

    @Test
    void explanationNamesWhatIsSuperfluousAlone() {
        assertThat(QueuePairTransitions.explain(UNRELIABLE_DATAGRAM, INIT, READY_TO_RECEIVE, Set.of(ADDRESS_VECTOR)))
                .contains("INIT to READY_TO_RECEIVE of a queue pair of type UNRELIABLE_DATAGRAM"
                        + " does not accept ADDRESS_VECTOR");
    }

    @Test
    void theSetsCannotBeChanged() {
        assertThatThrownBy(() -> QueuePairTransitions.required(RELIABLE_CONNECTION, RESET, INIT)
                        .clear())
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> QueuePairTransitions.reachable(RELIABLE_CONNECTION, RESET)
                        .clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void nullIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> QueuePairTransitions.isLegal(null, RESET, INIT));
        assertThatNullPointerException()
                .isThrownBy(() -> QueuePairTransitions.explain(RELIABLE_CONNECTION, RESET, INIT, null));
    }

    private static Set<QueuePairAttribute> union(Set<QueuePairAttribute> first, Set<QueuePairAttribute> second) {
        EnumSet<QueuePairAttribute> all = EnumSet.noneOf(QueuePairAttribute.class);
        all.addAll(first);
        all.addAll(second);
        return all;
    }

    private static Set<QueuePairAttribute> withState(Set<QueuePairAttribute> attributes) {
        return union(attributes, Set.of(STATE));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static io.rdmachannel.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static io.rdmachannel.verbs.QueuePairAttribute.ADDRESS_VECTOR;
import static io.rdmachannel.verbs.QueuePairAttribute.ALTERNATE_PATH;
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

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The moves between the states of a queue pair as data: which there are, which attributes each needs and which it
 * permits besides. Linux holds the same facts in {@code ib_modify_qp_is_ok()} of
 * {@code drivers/infiniband/core/verbs.c}, but answers a mistake with a bare {@code EINVAL}; this table says what the
 * mistake was. The kernel has the last word: ask it first, and the table when it refuses.
 *
 * <p>{@link QueuePairAttribute#STATE} belongs to every move by itself: it is never listed, never missing and never too
 * much. From {@link QueuePairState#RESET} there is no move to {@link QueuePairState#ERROR}: other texts permit it,
 * Linux does not. A move from a state to itself changes attributes.
 *
 * <p>All methods are free of side effects, may be called from any thread, and need neither library nor device.
 */
public final class QueuePairTransitions {
    private static final Map<QueuePairType, List<Move>> MOVES = Map.of(
            RELIABLE_CONNECTION, withShutdown(reliableConnection()),
            UNRELIABLE_CONNECTION, withShutdown(unreliableConnection()),
            UNRELIABLE_DATAGRAM, withShutdown(unreliableDatagram()));

    private QueuePairTransitions() {}

    /** One legal move. */
    private record Move(
            QueuePairState from,
            QueuePairState to,
            Set<QueuePairAttribute> required,
            Set<QueuePairAttribute> optional) {

        static Move of(QueuePairState from, QueuePairState to) {
            return new Move(from, to, Set.of(), Set.of());
        }

        Move requires(QueuePairAttribute... attributes) {
            return new Move(from, to, setOf(attributes), optional);
        }

        Move permits(QueuePairAttribute... attributes) {
            return new Move(from, to, required, setOf(attributes));
        }

        private static Set<QueuePairAttribute> setOf(QueuePairAttribute... attributes) {
            return Collections.unmodifiableSet(EnumSet.copyOf(Arrays.asList(attributes)));
        }
    }

    private static List<Move> reliableConnection() {
        return List.of(
                Move.of(RESET, INIT).requires(PARTITION_KEY_INDEX, PORT, ACCESS_FLAGS),
                Move.of(INIT, INIT).permits(PARTITION_KEY_INDEX, PORT, ACCESS_FLAGS),
                Move.of(INIT, READY_TO_RECEIVE)
                        .requires(
                                ADDRESS_VECTOR,
                                PATH_MTU,
                                DESTINATION_QUEUE_PAIR_NUMBER,
                                RECEIVE_PACKET_SEQUENCE_NUMBER,
                                MAX_RESPONDER_READS,
                                MIN_RNR_TIMER)
                        .permits(ALTERNATE_PATH, ACCESS_FLAGS, PARTITION_KEY_INDEX),
                Move.of(READY_TO_RECEIVE, READY_TO_SEND)
                        .requires(TIMEOUT, RETRY_COUNT, RNR_RETRY, SEND_PACKET_SEQUENCE_NUMBER, MAX_OUTSTANDING_READS)
                        .permits(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIGRATION_STATE),
                Move.of(READY_TO_SEND, READY_TO_SEND)
                        .permits(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIGRATION_STATE),
                Move.of(READY_TO_SEND, SEND_QUEUE_DRAINED).permits(ENABLE_SQD_ASYNC_NOTIFY),
                Move.of(SEND_QUEUE_DRAINED, READY_TO_SEND)
                        .permits(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIGRATION_STATE),
                Move.of(SEND_QUEUE_DRAINED, SEND_QUEUE_DRAINED)
                        .permits(
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
                                PATH_MIGRATION_STATE),
                // A reliable connection never gets into this state, yet the kernel's table has the way out.
                Move.of(SEND_QUEUE_ERROR, READY_TO_SEND));
    }

    private static List<Move> unreliableConnection() {
        return List.of(
                Move.of(RESET, INIT).requires(PARTITION_KEY_INDEX, PORT, ACCESS_FLAGS),
                Move.of(INIT, INIT).permits(PARTITION_KEY_INDEX, PORT, ACCESS_FLAGS),
                Move.of(INIT, READY_TO_RECEIVE)
                        .requires(
                                ADDRESS_VECTOR, PATH_MTU, DESTINATION_QUEUE_PAIR_NUMBER, RECEIVE_PACKET_SEQUENCE_NUMBER)
                        .permits(ALTERNATE_PATH, ACCESS_FLAGS, PARTITION_KEY_INDEX),
                Move.of(READY_TO_RECEIVE, READY_TO_SEND)
                        .requires(SEND_PACKET_SEQUENCE_NUMBER)
                        .permits(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, PATH_MIGRATION_STATE),
                Move.of(READY_TO_SEND, READY_TO_SEND)
                        .permits(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, PATH_MIGRATION_STATE),
                Move.of(READY_TO_SEND, SEND_QUEUE_DRAINED).permits(ENABLE_SQD_ASYNC_NOTIFY),
                Move.of(SEND_QUEUE_DRAINED, READY_TO_SEND)
                        .permits(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, PATH_MIGRATION_STATE),
                Move.of(SEND_QUEUE_DRAINED, SEND_QUEUE_DRAINED)
                        .permits(
                                ADDRESS_VECTOR,
                                ALTERNATE_PATH,
                                ACCESS_FLAGS,
                                PARTITION_KEY_INDEX,
                                PATH_MIGRATION_STATE),
                Move.of(SEND_QUEUE_ERROR, READY_TO_SEND).permits(CURRENT_STATE, ACCESS_FLAGS));
    }

    private static List<Move> unreliableDatagram() {
        return List.of(
                Move.of(RESET, INIT).requires(PARTITION_KEY_INDEX, PORT, QUEUE_KEY),
                Move.of(INIT, INIT).permits(PARTITION_KEY_INDEX, PORT, QUEUE_KEY),
                Move.of(INIT, READY_TO_RECEIVE).permits(PARTITION_KEY_INDEX, QUEUE_KEY),
                Move.of(READY_TO_RECEIVE, READY_TO_SEND)
                        .requires(SEND_PACKET_SEQUENCE_NUMBER)
                        .permits(CURRENT_STATE, QUEUE_KEY),
                Move.of(READY_TO_SEND, READY_TO_SEND).permits(CURRENT_STATE, QUEUE_KEY),
                Move.of(READY_TO_SEND, SEND_QUEUE_DRAINED).permits(ENABLE_SQD_ASYNC_NOTIFY),
                Move.of(SEND_QUEUE_DRAINED, READY_TO_SEND).permits(CURRENT_STATE, QUEUE_KEY),
                Move.of(SEND_QUEUE_DRAINED, SEND_QUEUE_DRAINED).permits(PARTITION_KEY_INDEX, QUEUE_KEY),
                Move.of(SEND_QUEUE_ERROR, READY_TO_SEND).permits(CURRENT_STATE, QUEUE_KEY));
    }

    /** Adds what every type has: to RESET from anywhere, to ERROR from anywhere but RESET, both without attributes. */
    private static List<Move> withShutdown(List<Move> moves) {
        Stream<Move> toReset = known().map(from -> Move.of(from, RESET));
        Stream<Move> toError = known().filter(from -> from != RESET).map(from -> Move.of(from, ERROR));
        return Stream.of(moves.stream(), toReset, toError)
                .flatMap(Function.identity())
                .toList();
    }

    private static Stream<QueuePairState> known() {
        return Arrays.stream(QueuePairState.values()).filter(state -> state != UNKNOWN);
    }

    /**
     * Says whether there is such a move at all.
     *
     * @param type the type of the queue pair
     * @param from the state it is in
     * @param to the state to go to; the same state for a change of attributes only
     * @return true when the move exists, with the right attributes
     */
    public static boolean isLegal(QueuePairType type, QueuePairState from, QueuePairState to) {
        return find(type, from, to).isPresent();
    }

    /**
     * Names the states that one move leads to.
     *
     * @param type the type of the queue pair
     * @param from the state it is in
     * @return the states, in the order of their declaration; empty for {@link QueuePairState#UNKNOWN}. Unmodifiable
     */
    public static Set<QueuePairState> reachable(QueuePairType type, QueuePairState from) {
        EnumSet<QueuePairState> states = EnumSet.noneOf(QueuePairState.class);
        MOVES.get(type).stream().filter(move -> move.from == from).forEach(move -> states.add(move.to));
        return Collections.unmodifiableSet(states);
    }

    /**
     * Names the attributes that a move cannot do without.
     *
     * @param type the type of the queue pair
     * @param from the state it is in
     * @param to the state to go to
     * @return the attributes, {@link QueuePairAttribute#STATE} not among them. Unmodifiable
     * @throws IllegalArgumentException when there is no such move; the message names the moves that there are
     */
    public static Set<QueuePairAttribute> required(QueuePairType type, QueuePairState from, QueuePairState to) {
        return get(type, from, to).required;
    }

    /**
     * Names the attributes that a move accepts beyond the required ones.
     *
     * @param type the type of the queue pair
     * @param from the state it is in
     * @param to the state to go to
     * @return the attributes, {@link QueuePairAttribute#STATE} not among them. Unmodifiable
     * @throws IllegalArgumentException when there is no such move; the message names the moves that there are
     */
    public static Set<QueuePairAttribute> optional(QueuePairType type, QueuePairState from, QueuePairState to) {
        return get(type, from, to).optional;
    }

    /**
     * Says what is wrong with a move, for the message of an exception.
     *
     * @param type the type of the queue pair
     * @param from the state it is in
     * @param to the state to go to
     * @param given the attributes that are set with it
     * @return a sentence that names missing attributes and those too much, or says that there is no such move and which
     *     there are; empty when the move is in order, and a refusal has another cause, such as a wrong value
     */
    public static Optional<String> explain(
            QueuePairType type, QueuePairState from, QueuePairState to, Set<QueuePairAttribute> given) {
        Optional<Move> found = find(type, from, to);
        if (found.isEmpty()) {
            return Optional.of(noSuchMove(type, from, to));
        }
        Set<QueuePairAttribute> missing = EnumSet.noneOf(QueuePairAttribute.class);
        missing.addAll(found.get().required);
        missing.removeAll(given);
        Set<QueuePairAttribute> superfluous = EnumSet.noneOf(QueuePairAttribute.class);
        superfluous.addAll(given);
        superfluous.removeAll(found.get().required);
        superfluous.removeAll(found.get().optional);
        superfluous.remove(STATE);
        return complaint(name(type, from, to), missing, superfluous);
    }

    private static Optional<String> complaint(
            String move, Set<QueuePairAttribute> missing, Set<QueuePairAttribute> superfluous) {
        if (missing.isEmpty() && superfluous.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder(move);
        if (!missing.isEmpty()) {
            text.append(" needs ")
                    .append(join(missing))
                    .append(", which ")
                    .append(isOrAre(missing))
                    .append(" not set");
        }
        if (!superfluous.isEmpty()) {
            text.append(missing.isEmpty() ? " " : ", and ")
                    .append("does not accept ")
                    .append(join(superfluous));
        }
        return Optional.of(text.toString());
    }

    private static String noSuchMove(QueuePairType type, QueuePairState from, QueuePairState to) {
        Set<QueuePairState> reachable = reachable(type, from);
        String remedy = reachable.isEmpty()
                ? "query the state first, or destroy the queue pair"
                : "from " + from + " it can go to " + join(reachable);
        return name(type, from, to) + " is not a legal move: " + remedy;
    }

    private static String name(QueuePairType type, QueuePairState from, QueuePairState to) {
        return from + " to " + to + " of a queue pair of type " + type;
    }

    private static String join(Set<?> constants) {
        return constants.stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    private static String isOrAre(Set<?> constants) {
        return constants.size() == 1 ? "is" : "are";
    }

    private static Move get(QueuePairType type, QueuePairState from, QueuePairState to) {
        return find(type, from, to).orElseThrow(() -> new IllegalArgumentException(noSuchMove(type, from, to)));
    }

    private static Optional<Move> find(QueuePairType type, QueuePairState from, QueuePairState to) {
        return MOVES.get(type).stream()
                .filter(move -> move.from == from && move.to == to)
                .findFirst();
    }
}

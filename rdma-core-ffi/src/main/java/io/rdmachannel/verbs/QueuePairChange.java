// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_qp_attr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * What is to be changed of a queue pair ({@code ibv_modify_qp(3)}): the next state and the attributes that go with it.
 * Which attributes a move needs is told by {@link QueuePairTransitions}; each method here sets one and marks it as
 * given.
 *
 * <p>Not safe for use by two threads at once; holds no native object.
 */
public final class QueuePairChange {
    private static final int PACKET_SEQUENCE_NUMBER_MAX = 0xFF_FFFF;
    private static final int FIVE_BITS = 31;
    private static final int THREE_BITS = 7;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment attributes = ibv_qp_attr.allocate(arena);
    private final EnumSet<QueuePairAttribute> given = EnumSet.noneOf(QueuePairAttribute.class);
    private QueuePairState state;
    private AddressVector addressVector;

    private QueuePairChange() {}

    /**
     * Begins a move to another state.
     *
     * @param state the state wanted
     * @return a change with that state and nothing else
     * @throws RdmaUnavailableException if verbs cannot be used in this process
     */
    public static QueuePairChange to(QueuePairState state) {
        if (state == QueuePairState.UNKNOWN) {
            throw new IllegalArgumentException("UNKNOWN is no state that a queue pair can be moved to");
        }
        QueuePairChange change = ofAttributes();
        change.state = Objects.requireNonNull(state, "state");
        ibv_qp_attr.qp_state(change.attributes, state.raw());
        return change.mark(QueuePairAttribute.STATE);
    }

    /**
     * Begins a change of attributes within the present state.
     *
     * @return a change of nothing yet
     * @throws RdmaUnavailableException if verbs cannot be used in this process
     */
    public static QueuePairChange ofAttributes() {
        Verbs.ensureAvailable();
        return new QueuePairChange();
    }

    /**
     * Sets the index of the partition key.
     *
     * @param index into the port's table, 0 to 65535; 0 is the default partition
     * @return this
     */
    public QueuePairChange partitionKeyIndex(int index) {
        ibv_qp_attr.pkey_index(attributes, (short) require("partitionKeyIndex", index, 0, 0xFFFF));
        return mark(QueuePairAttribute.PARTITION_KEY_INDEX);
    }

    /**
     * Sets the port.
     *
     * @param port from 1
     * @return this
     */
    public QueuePairChange port(int port) {
        ibv_qp_attr.port_num(attributes, (byte) require("port", port, 1, 0xFF));
        return mark(QueuePairAttribute.PORT);
    }

    /**
     * Sets what peers may do with memory of the domain through this queue pair.
     *
     * @param flags remote rights
     * @return this
     */
    public QueuePairChange access(Set<AccessFlag> flags) {
        ibv_qp_attr.qp_access_flags(attributes, AccessFlag.bits(flags));
        return mark(QueuePairAttribute.ACCESS_FLAGS);
    }

    /**
     * Sets the queue key, which datagrams must carry.
     *
     * @param key any 32 bits
     * @return this
     */
    public QueuePairChange queueKey(int key) {
        ibv_qp_attr.qkey(attributes, key);
        return mark(QueuePairAttribute.QUEUE_KEY);
    }

    /**
     * Sets the route to the peer.
     *
     * @param route where packets go
     * @return this
     */
    public QueuePairChange addressVector(AddressVector route) {
        this.addressVector = Objects.requireNonNull(route, "route");
        route.writeTo(ibv_qp_attr.ah_attr(attributes));
        return mark(QueuePairAttribute.ADDRESS_VECTOR);
    }

    /**
     * Sets the largest packet. Use the port's active MTU or less: drivers accept more, and then nothing arrives.
     *
     * @param mtu the size
     * @return this
     */
    public QueuePairChange pathMtu(PathMtu mtu) {
        ibv_qp_attr.path_mtu(attributes, mtu.raw());
        return mark(QueuePairAttribute.PATH_MTU);
    }

    /**
     * Sets the peer's queue pair.
     *
     * @param number its 24-bit number
     * @return this
     */
    public QueuePairChange destinationQueuePairNumber(int number) {
        ibv_qp_attr.dest_qp_num(
                attributes, require("destinationQueuePairNumber", number, 0, PACKET_SEQUENCE_NUMBER_MAX));
        return mark(QueuePairAttribute.DESTINATION_QUEUE_PAIR_NUMBER);
    }

    /**
     * Sets the number of the first packet expected: the peer's send packet sequence number.
     *
     * @param number 24 bits
     * @return this
     */
    public QueuePairChange receivePacketSequenceNumber(int number) {
        ibv_qp_attr.rq_psn(attributes, require("receivePacketSequenceNumber", number, 0, PACKET_SEQUENCE_NUMBER_MAX));
        return mark(QueuePairAttribute.RECEIVE_PACKET_SEQUENCE_NUMBER);
    }

    /**
     * Sets the number of the first packet sent.
     *
     * @param number 24 bits
     * @return this
     */
    public QueuePairChange sendPacketSequenceNumber(int number) {
        ibv_qp_attr.sq_psn(attributes, require("sendPacketSequenceNumber", number, 0, PACKET_SEQUENCE_NUMBER_MAX));
        return mark(QueuePairAttribute.SEND_PACKET_SEQUENCE_NUMBER);
    }

    /**
     * Sets how many reads and atomics of this side may be under way.
     *
     * @param count 0 to 255, and not above the device's limit or what the peer can answer
     * @return this
     */
    public QueuePairChange maxOutstandingReads(int count) {
        ibv_qp_attr.max_rd_atomic(attributes, (byte) require("maxOutstandingReads", count, 0, 0xFF));
        return mark(QueuePairAttribute.MAX_OUTSTANDING_READS);
    }

    /**
     * Sets how many reads and atomics of the peer this side answers at a time.
     *
     * @param count 0 to 255, and not above the device's limit
     * @return this
     */
    public QueuePairChange maxResponderReads(int count) {
        ibv_qp_attr.max_dest_rd_atomic(attributes, (byte) require("maxResponderReads", count, 0, 0xFF));
        return mark(QueuePairAttribute.MAX_RESPONDER_READS);
    }

    /**
     * Sets how long a peer waits when this side had no receive posted.
     *
     * @param code 1 is 0.01 ms, 12 is 0.64 ms, 31 is 491.52 ms; 0 is the longest, 655.36 ms
     * @return this
     */
    public QueuePairChange minRnrTimer(int code) {
        ibv_qp_attr.min_rnr_timer(attributes, (byte) require("minRnrTimer", code, 0, FIVE_BITS));
        return mark(QueuePairAttribute.MIN_RNR_TIMER);
    }

    /**
     * Sets how long to wait for an acknowledgement before sending again.
     *
     * @param exponent the time is 4.096 µs · 2^exponent; 0 waits for ever, so that a lost packet is a hang
     * @return this
     */
    public QueuePairChange timeout(int exponent) {
        ibv_qp_attr.timeout(attributes, (byte) require("timeout", exponent, 0, FIVE_BITS));
        return mark(QueuePairAttribute.TIMEOUT);
    }

    /**
     * Sets how often to send again before giving up.
     *
     * @param count 0 to 7; with Soft-RoCE 7 means without end
     * @return this
     */
    public QueuePairChange retryCount(int count) {
        ibv_qp_attr.retry_cnt(attributes, (byte) require("retryCount", count, 0, THREE_BITS));
        return mark(QueuePairAttribute.RETRY_COUNT);
    }

    /**
     * Sets how often to send again when the peer had no receive posted.
     *
     * @param count 0 to 6; 7 means without end
     * @return this
     */
    public QueuePairChange rnrRetry(int count) {
        ibv_qp_attr.rnr_retry(attributes, (byte) require("rnrRetry", count, 0, THREE_BITS));
        return mark(QueuePairAttribute.RNR_RETRY);
    }

    /**
     * Says which attributes have been given.
     *
     * @return a copy of the set
     */
    public Set<QueuePairAttribute> given() {
        return Set.copyOf(given);
    }

    @Override
    public String toString() {
        String route = addressVector == null ? "" : " by " + addressVector;
        return (state == null ? "attributes " : "state " + state + " with ") + given + route;
    }

    MemorySegment attributes() {
        return attributes;
    }

    int mask() {
        return QueuePairAttribute.bits(given);
    }

    /** The state wanted, or null when the state is to stay. */
    QueuePairState state() {
        return state;
    }

    private QueuePairChange mark(QueuePairAttribute attribute) {
        given.add(attribute);
        return this;
    }

    private static int require(String name, int value, int least, int most) {
        return (int) Ranges.require(name, value, least, most);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.ffi.generated.rdmacm.rdma_conn_param;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * What one end tells the other when it connects or accepts ({@code rdma_connect(3)}, {@code rdma_accept(3)}), and what
 * an event reports about the other end. Begin with {@link #ofQueuePair} and change the rest by the {@code with}
 * methods.
 *
 * <p>An immutable value: any thread may use it, and there is nothing to close.
 *
 * <p>In an event the two numbers of outstanding operations are those of the reader: {@link #responderResources()} is
 * what the peer will have outstanding here, {@link #initiatorDepth()} what may be outstanding to the peer. Values for
 * {@code accept} must not be above them.
 *
 * @param queuePairNumber the number of the queue pair, 24 bits: one's own to send, the peer's in an event
 * @param responderResources how many reads and atomics of the peer this end serves at a time, 0 to 254, or
 *     {@link #DEVICE_MAXIMUM}
 * @param initiatorDepth how many reads and atomics this end has outstanding at a time, 0 to 254, or
 *     {@link #DEVICE_MAXIMUM}
 * @param flowControl whether the hardware has flow control; passed on and not used
 * @param retryCount how often to repeat without an acknowledgement, 0 to 7; Soft-RoCE takes 7 for ever; ignored by
 *     {@code accept}
 * @param rnrRetryCount how often the peer repeats when no receive is posted, 0 to 6; 7 is for ever
 * @param sharedReceiveQueue whether the queue pair takes its receives from a shared receive queue
 * @param privateData bytes for the program at the other end; how many depends on the call, 56 to connect, 196 to accept
 *     and 148 to reject a connection. The other end sees them filled up with zeros
 */
public record ConnectionParameters(
        int queuePairNumber,
        int responderResources,
        int initiatorDepth,
        boolean flowControl,
        int retryCount,
        int rnrRetryCount,
        boolean sharedReceiveQueue,
        byte[] privateData) {
    /** Stands for as many outstanding reads and atomics as the device can do. */
    public static final int DEVICE_MAXIMUM = 255;

    /** The longest private data that any message can carry, in bytes; most carry less. */
    public static final int PRIVATE_DATA_MAX = 255;

    private static final int RETRY_COUNT_DEFAULT = 6;
    private static final int THREE_BITS = 7;
    private static final int QUEUE_PAIR_NUMBER_MAX = 0xFF_FFFF;

    /**
     * Checks the values and copies the private data.
     *
     * @throws IllegalArgumentException when one is out of its range
     */
    public ConnectionParameters {
        Checks.range("queuePairNumber", queuePairNumber, 0, QUEUE_PAIR_NUMBER_MAX, "it has 24 bits");
        Checks.range("responderResources", responderResources, 0, DEVICE_MAXIMUM, "255 is the device's maximum");
        Checks.range("initiatorDepth", initiatorDepth, 0, DEVICE_MAXIMUM, "255 is the device's maximum");
        Checks.range("retryCount", retryCount, 0, THREE_BITS, "it has 3 bits");
        Checks.range("rnrRetryCount", rnrRetryCount, 0, THREE_BITS, "it has 3 bits, and 7 is for ever");
        Checks.privateData(privateData, PRIVATE_DATA_MAX, "any message");
        privateData = privateData.clone();
    }

    /**
     * Parameters for a queue pair with the usual values: one read or atomic at a time each way, 6 repeats of either
     * kind, no private data.
     *
     * @param queuePairNumber the number of one's own queue pair
     * @return the parameters
     * @throws IllegalArgumentException when the number has more than 24 bits
     */
    public static ConnectionParameters ofQueuePair(int queuePairNumber) {
        return new ConnectionParameters(
                queuePairNumber, 1, 1, false, RETRY_COUNT_DEFAULT, RETRY_COUNT_DEFAULT, false, new byte[0]);
    }

    /**
     * Gives the private data.
     *
     * @return a copy
     */
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * The same with other numbers of outstanding reads and atomics.
     *
     * @param newResponderResources those of the peer, 0 to 254 or {@link #DEVICE_MAXIMUM}
     * @param newInitiatorDepth those of this end, 0 to 254 or {@link #DEVICE_MAXIMUM}
     * @return a changed copy
     * @throws IllegalArgumentException when one is out of its range
     */
    public ConnectionParameters withOutstandingReads(int newResponderResources, int newInitiatorDepth) {
        return new ConnectionParameters(
                queuePairNumber,
                newResponderResources,
                newInitiatorDepth,
                flowControl,
                retryCount,
                rnrRetryCount,
                sharedReceiveQueue,
                privateData);
    }

    /**
     * The same with other numbers of repeats.
     *
     * @param newRetryCount without an acknowledgement, 0 to 7; Soft-RoCE takes 7 for ever
     * @param newRnrRetryCount without a posted receive, 0 to 6; 7 is for ever
     * @return a changed copy
     * @throws IllegalArgumentException when one is out of its range
     */
    public ConnectionParameters withRetries(int newRetryCount, int newRnrRetryCount) {
        return new ConnectionParameters(
                queuePairNumber,
                responderResources,
                initiatorDepth,
                flowControl,
                newRetryCount,
                newRnrRetryCount,
                sharedReceiveQueue,
                privateData);
    }

    /**
     * The same, telling whether a shared receive queue is used.
     *
     * @param newSharedReceiveQueue whether the queue pair takes its receives from one
     * @return a changed copy
     */
    public ConnectionParameters withSharedReceiveQueue(boolean newSharedReceiveQueue) {
        return new ConnectionParameters(
                queuePairNumber,
                responderResources,
                initiatorDepth,
                flowControl,
                retryCount,
                rnrRetryCount,
                newSharedReceiveQueue,
                privateData);
    }

    /**
     * The same with other private data.
     *
     * @param newPrivateData bytes for the program at the other end; copied
     * @return a changed copy
     * @throws IllegalArgumentException when they are more than {@link #PRIVATE_DATA_MAX}
     */
    public ConnectionParameters withPrivateData(byte[] newPrivateData) {
        return new ConnectionParameters(
                queuePairNumber,
                responderResources,
                initiatorDepth,
                flowControl,
                retryCount,
                rnrRetryCount,
                sharedReceiveQueue,
                newPrivateData);
    }

    /** Writes a {@code struct rdma_conn_param}, with the private data in the same arena. */
    MemorySegment write(Arena arena) {
        MemorySegment values = rdma_conn_param.allocate(arena);
        rdma_conn_param.private_data(values, arena.allocateFrom(ValueLayout.JAVA_BYTE, privateData));
        rdma_conn_param.private_data_len(values, (byte) privateData.length);
        rdma_conn_param.responder_resources(values, (byte) responderResources);
        rdma_conn_param.initiator_depth(values, (byte) initiatorDepth);
        rdma_conn_param.flow_control(values, (byte) (flowControl ? 1 : 0));
        rdma_conn_param.retry_count(values, (byte) retryCount);
        rdma_conn_param.rnr_retry_count(values, (byte) rnrRetryCount);
        rdma_conn_param.srq(values, (byte) (sharedReceiveQueue ? 1 : 0));
        rdma_conn_param.qp_num(values, queuePairNumber);
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ConnectionParameters that
                && queuePairNumber == that.queuePairNumber
                && responderResources == that.responderResources
                && initiatorDepth == that.initiatorDepth
                && flowControl == that.flowControl
                && retryCount == that.retryCount
                && rnrRetryCount == that.rnrRetryCount
                && sharedReceiveQueue == that.sharedReceiveQueue
                && Arrays.equals(privateData, that.privateData);
    }

    @Override
    public int hashCode() {
        return Objects.hash(queuePairNumber, responderResources, initiatorDepth, Arrays.hashCode(privateData));
    }

    @Override
    public String toString() {
        return "queue pair " + queuePairNumber + ", responder resources " + responderResources + ", initiator depth "
                + initiatorDepth + ", flow control " + flowControl + ", retries " + retryCount + ", RNR retries "
                + rnrRetryCount + ", shared receive queue " + sharedReceiveQueue + ", private data "
                + HexFormat.of().formatHex(privateData);
    }
}

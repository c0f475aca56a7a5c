// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.generated.ibverbs.ibv_qp_cap;
import java.lang.foreign.MemorySegment;

/**
 * How large the queues of a queue pair are. What is asked for is a minimum; the device may grant more, and only the
 * granted values count afterwards. See {@code ibv_create_qp(3)}.
 *
 * <p>An immutable value: any thread may use it, and there is nothing to close.
 *
 * @param maxSendRequests outstanding send requests, at least 0
 * @param maxReceiveRequests outstanding receives, at least 0; without meaning when a shared receive queue is used
 * @param maxSendScatterGather scatter-gather entries of one send request, at least 0
 * @param maxReceiveScatterGather scatter-gather entries of one receive, at least 0
 * @param maxInlineBytes bytes that can be sent inline, at least 0; the device has no query for its limit
 */
public record QueuePairCapabilities(
        int maxSendRequests,
        int maxReceiveRequests,
        int maxSendScatterGather,
        int maxReceiveScatterGather,
        int maxInlineBytes) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when one is negative; the device's own limits are checked by the device
     */
    public QueuePairCapabilities {
        requireNotNegative("maxSendRequests", maxSendRequests);
        requireNotNegative("maxReceiveRequests", maxReceiveRequests);
        requireNotNegative("maxSendScatterGather", maxSendScatterGather);
        requireNotNegative("maxReceiveScatterGather", maxReceiveScatterGather);
        requireNotNegative("maxInlineBytes", maxInlineBytes);
    }

    private static void requireNotNegative(String what, int value) {
        Ranges.require(what, value, 0, Integer.MAX_VALUE, "give 0 for none, or a depth within the device's limits");
    }

    /** Reads a {@code struct ibv_qp_cap}. */
    static QueuePairCapabilities from(MemorySegment capabilities) {
        return new QueuePairCapabilities(
                limited(ibv_qp_cap.max_send_wr(capabilities)),
                limited(ibv_qp_cap.max_recv_wr(capabilities)),
                limited(ibv_qp_cap.max_send_sge(capabilities)),
                limited(ibv_qp_cap.max_recv_sge(capabilities)),
                limited(ibv_qp_cap.max_inline_data(capabilities)));
    }

    /** Writes a {@code struct ibv_qp_cap}. */
    void writeTo(MemorySegment capabilities) {
        ibv_qp_cap.max_send_wr(capabilities, maxSendRequests);
        ibv_qp_cap.max_recv_wr(capabilities, maxReceiveRequests);
        ibv_qp_cap.max_send_sge(capabilities, maxSendScatterGather);
        ibv_qp_cap.max_recv_sge(capabilities, maxReceiveScatterGather);
        ibv_qp_cap.max_inline_data(capabilities, maxInlineBytes);
    }

    /** Unsigned in C; a value above the range of int means as much as one can ask for. */
    private static int limited(int unsigned) {
        return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
    }
}

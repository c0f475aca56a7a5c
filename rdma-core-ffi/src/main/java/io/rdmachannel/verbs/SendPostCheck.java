// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import java.util.Objects;

/**
 * What is checked of send work requests before native code sees them: providers follow pointers and copy inline bytes
 * without looking, so a wrong request must not reach them. Allocates nothing unless it throws.
 */
final class SendPostCheck {
    private final boolean datagrams;
    private final int scatterGatherMax;
    private final int inlineMax;

    SendPostCheck(QueuePairType type, QueuePairCapabilities granted) {
        this.datagrams = type == QueuePairType.UNRELIABLE_DATAGRAM;
        this.scatterGatherMax = granted.maxSendScatterGather();
        this.inlineMax = granted.maxInlineBytes();
    }

    /** Returns whether a request names a handle that must be held open while it is posted. */
    boolean require(SendWorkRequests requests, int first, int count) {
        requests.memory().requireOwner();
        Objects.checkFromIndexSize(first, count, requests.slots());
        if (count == 0) {
            throw new IllegalArgumentException("count is 0, and must be at least 1");
        }
        boolean needsHandles = datagrams;
        for (int slot = first; slot < first + count; slot++) {
            int shape = requests.shape(slot);
            if (RequestShape.elements(shape) > scatterGatherMax || RequestShape.inlineLength(shape) > inlineMax) {
                throw tooLarge(shape, slot);
            }
            if (RequestShape.lacksHandle(shape, datagrams)) {
                throw new IllegalArgumentException("request " + slot
                        + (datagrams
                                ? " has no destination(...), which every request of a datagram queue pair needs"
                                : " has one of opcode BIND_MEMORY_WINDOW and bind(...), and needs both or neither"));
            }
            needsHandles |= RequestShape.hasBinding(shape);
        }
        return needsHandles;
    }

    private IllegalArgumentException tooLarge(int shape, int slot) {
        return new IllegalArgumentException("request " + slot + " has " + RequestShape.elements(shape)
                + " scatter/gather elements and " + RequestShape.inlineLength(shape)
                + " inline bytes; this queue pair was"
                + " granted " + scatterGatherMax + " and " + inlineMax + ". Ask for more in its QueuePairCapabilities,"
                + " or split the request.");
    }
}

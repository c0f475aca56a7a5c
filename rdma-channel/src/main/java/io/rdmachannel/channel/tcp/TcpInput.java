// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Takes the bytes that arrive apart into frames. Keeps a head that came in parts; data go where they belong at once.
 */
final class TcpInput {
    /** Who is told. */
    interface Receiver {
        /**
         * A head is complete.
         *
         * @param head the header, and what follows it for operations
         * @return where the data go from {@link #dataOffset}; null to drop them
         */
        MemorySegment headArrived(MemorySegment head);

        /** Where in that memory the data go. */
        long dataOffset();

        /** More of the data have come, after others had their turn; says whether they may still go there. */
        boolean isStillPermitted(MemorySegment head);

        /** A frame's data have all arrived. */
        void dataArrived(MemorySegment head);
    }

    private final MemorySegment head = Arena.ofAuto().allocate(Operation.BYTES, Long.BYTES);
    private final Receiver receiver;
    private int headBytes;
    private boolean inData;
    private MemorySegment target;
    private long targetOffset;
    private long left;

    TcpInput(Receiver receiver) {
        this.receiver = receiver;
    }

    /**
     * Takes bytes.
     *
     * @return how many frames were completed
     * @throws ProtocolException if they make no sense
     */
    int take(MemorySegment bytes, int count) {
        int frames = 0;
        long at = 0;
        if (target != null && !receiver.isStillPermitted(head)) {
            target = null;
        }
        while (at < count) {
            if (inData) {
                long part = Math.min(left, count - at);
                if (target != null) {
                    MemorySegment.copy(bytes, at, target, targetOffset, part);
                }
                targetOffset += part;
                left -= part;
                at += part;
            } else {
                int part = (int) Math.min(wantedHeadBytes() - headBytes, count - at);
                MemorySegment.copy(bytes, at, head, headBytes, part);
                headBytes += part;
                at += part;
            }
            frames += proceed();
        }
        return frames;
    }

    /** How long the head is, as far as is known. */
    private int wantedHeadBytes() {
        if (headBytes < FrameHeader.BYTES) {
            return FrameHeader.BYTES;
        }
        return Operation.isOne(FrameHeader.type(head)) ? Operation.BYTES : FrameHeader.BYTES;
    }

    private int proceed() {
        if (!inData && headBytes == wantedHeadBytes()) {
            left = FrameHeader.length(head);
            if (left < 0) {
                throw new ProtocolException("a frame with " + left + " bytes of data");
            }
            target = receiver.headArrived(head);
            targetOffset = receiver.dataOffset();
            inData = true;
        }
        if (inData && left == 0) {
            inData = false;
            headBytes = 0;
            target = null;
            receiver.dataArrived(head);
            return 1;
        }
        return 0;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.core.LinkEvents;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.MemorySegment;

/** Gives each frame that arrives to whom it concerns. */
final class TcpDispatcher implements TcpInput.Receiver {
    private final ReceiveRing receives;
    private final TcpRequests requests;
    private final TcpResponder responder;
    private final LinkEvents events;
    private Lease receive;
    private MemorySegment written;
    private long dataOffset;

    TcpDispatcher(ReceiveRing receives, TcpRequests requests, TcpResponder responder, LinkEvents events) {
        this.receives = receives;
        this.requests = requests;
        this.responder = responder;
        this.events = events;
    }

    @Override
    public MemorySegment headArrived(MemorySegment head) {
        dataOffset = 0;
        written = null;
        int type = FrameHeader.type(head);
        if (!Operation.isOne(type)) {
            return receiveInto(head);
        }
        switch (type) {
            case Operation.WRITE, Operation.WRITE_WITH_IMMEDIATE -> {
                written = responder.writeTarget(head);
                dataOffset = TcpResponder.offset(head, written);
                return written;
            }
            case Operation.READ_DATA -> {
                long number = FrameHeader.sequence(head);
                MemorySegment target = requests.readTarget(number, FrameHeader.length(head));
                dataOffset = requests.readOffset(number);
                return target;
            }
            default -> {
                if (FrameHeader.length(head) != 0) {
                    throw new ProtocolException("a frame of type " + type + " with data");
                }
                return null;
            }
        }
    }

    @Override
    public long dataOffset() {
        return dataOffset;
    }

    /** A region may have been revoked in the middle of a write; what it was written to is the user's again. */
    @Override
    public boolean isStillPermitted(MemorySegment head) {
        if (written != null) {
            written = responder.writeTarget(head);
            return written != null;
        }
        return true;
    }

    @Override
    public void dataArrived(MemorySegment head) {
        int type = FrameHeader.type(head);
        long number = FrameHeader.sequence(head);
        switch (type) {
            case Operation.WRITE -> responder.written(head, written != null);
            case Operation.WRITE_WITH_IMMEDIATE -> writtenWithImmediate(head);
            case Operation.READ -> responder.read(head);
            case Operation.COMPARE_AND_SWAP, Operation.FETCH_AND_ADD -> responder.atomic(head);
            case Operation.DONE -> requests.done(number);
            case Operation.READ_DATA -> requests.dataArrived(number);
            case Operation.ATOMIC_RESULT -> requests.atomicResult(number, Operation.first(head));
            case Operation.REFUSED -> requests.refused(number);
            default -> frameArrived(head, type);
        }
    }

    /** The receive buffer of a frame that has arrived in part, or null; it is the caller's from now on. */
    Lease takeUnfinished() {
        Lease unfinished = receive;
        receive = null;
        return unfinished;
    }

    private MemorySegment receiveInto(MemorySegment head) {
        receive = receives.take();
        int length = FrameHeader.length(head);
        if (length < 0 || length > receive.capacity()) {
            throw new ProtocolException(
                    "a frame of " + length + " bytes for a receive buffer of " + receive.capacity());
        }
        MemorySegment.copy(head, 0, receive.headroom(), 0, FrameHeader.BYTES);
        return receive.segment();
    }

    private void frameArrived(MemorySegment head, int type) {
        if (Operation.isOne(type)) {
            throw new ProtocolException("a frame of type " + type);
        }
        Lease arrived = receive;
        receive = null;
        events.frameArrived(arrived, FrameHeader.length(head));
    }

    private void writtenWithImmediate(MemorySegment head) {
        boolean done = responder.written(head, written != null);
        if (done) {
            events.immediateArrived(receives.take(), Operation.immediate(head), FrameHeader.length(head));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.MemorySegment;

/** What the header of the frame says that has arrived last. One object for all frames of a channel. */
final class ArrivedHeader {
    private boolean byAddress;
    private int type;
    private int length;
    private long sequence;
    private long acknowledged;
    private long granted;

    /** Over RDMA native memory can be read by its address, which costs less than by a segment. */
    void transport(Transport transport) {
        byAddress = transport == Transport.RDMA;
    }

    void read(Lease frame) {
        if (byAddress) {
            read(frame.headroomAddress());
        } else {
            read(frame.headroom());
        }
    }

    int type() {
        return type;
    }

    /** The payload's bytes, as the peer says. */
    int length() {
        return length;
    }

    long sequence() {
        return sequence;
    }

    long acknowledged() {
        return acknowledged;
    }

    long granted() {
        return granted;
    }

    private void read(long address) {
        long first = FrameHeader.typeAndLength(address);
        type = (int) first;
        length = (int) (first >>> Integer.SIZE);
        sequence = FrameHeader.sequence(address);
        acknowledged = FrameHeader.acknowledged(address);
        granted = FrameHeader.granted(address);
    }

    private void read(MemorySegment header) {
        type = FrameHeader.type(header);
        length = FrameHeader.length(header);
        sequence = FrameHeader.sequence(header);
        acknowledged = FrameHeader.acknowledged(header);
        granted = FrameHeader.granted(header);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.RegionNotice;
import java.util.ArrayDeque;
import java.util.List;

/** What the peer has to be told of when there is room, in order. The event loop's thread only. */
final class Notices {
    private final ArrayDeque<Notice> waiting = new ArrayDeque<>();

    /**
     * One of them.
     *
     * @param type the frame's
     * @param region which; null for RESUMED
     */
    private record Notice(int type, RegionNotice region) {
        boolean send(Outgoing outgoing) {
            return type == FrameHeader.RESUMED ? outgoing.resumed() : outgoing.notice(type, region);
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void revoked(RegionNotice region) {
        waiting.add(new Notice(FrameHeader.REGION_REVOKED, region));
    }

    /** All regions once more, and that what has not been delivered follows. */
    void resumed(List<RegionNotice> regions) {
        regions.forEach(region -> waiting.add(new Notice(FrameHeader.REGION_EXPOSED, region)));
        waiting.add(new Notice(FrameHeader.RESUMED, null));
    }

    void clear() {
        waiting.clear();
    }

    /** Sends as many as possible now. */
    void send(Outgoing outgoing) {
        while (!waiting.isEmpty() && waiting.peek().send(outgoing)) {
            waiting.remove();
        }
    }
}

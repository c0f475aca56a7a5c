// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.core.Link;
import io.rdmachannel.channel.core.PendingLink;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** One end of a link, with the leases that a channel would hold. */
final class LinkSide {
    final RdmaSource source;
    final ChannelConfig config;
    final PendingLink pending;
    RecordingEvents events = new RecordingEvents();
    Link link;
    private final Deque<Lease> receives = new ArrayDeque<>();
    private final Deque<Lease> sent = new ArrayDeque<>();
    private final Deque<Long> sentNumbers = new ArrayDeque<>();
    private final List<Lease> others = new ArrayList<>();
    int granted;

    LinkSide(RdmaSource source, ChannelConfig config) {
        this.source = source;
        this.config = config;
        this.pending = source.prepare(config);
    }

    /** Supplies so many receives before the connection is there. */
    LinkSide supply(int count) {
        for (int i = 0; i < count; i++) {
            Lease lease = source.pool().acquire(config.receiveBytes());
            receives.add(lease);
            pending.supply(lease);
            granted++;
        }
        return this;
    }

    /** Supplies a receive again whose frame has been dealt with. */
    void supplyAgain(Lease lease) {
        assertThat(receives.poll()).isSameAs(lease);
        receives.add(lease);
        link.supply(lease);
        link.flush();
        granted++;
    }

    Fields description() {
        Fields fields = new Fields();
        pending.describe(fields);
        return Fields.decode(fields.encode());
    }

    static void connect(LinkSide left, LinkSide right) {
        Fields ofLeft = left.description();
        left.pending.connect(right.description());
        right.pending.connect(ofLeft);
    }

    LinkSide begin() {
        pending.handOver(Thread.currentThread());
        link = pending.begin(events);
        return this;
    }

    Lease lease(long bytes) {
        Lease lease = source.pool().acquire(bytes);
        others.add(lease);
        return lease;
    }

    /** Posts a frame without payload, numbered by its sequence number. */
    long postFrame(long sequence, long payloadBytes) {
        Lease lease = source.pool().acquire(payloadBytes);
        FrameHeader.put(lease.headroom(), FrameHeader.MESSAGE, (int) payloadBytes, sequence);
        FrameHeader.putState(lease.headroom(), 0, 0);
        return post(lease, payloadBytes);
    }

    long post(Lease lease, long payloadBytes) {
        long number = link.post(lease, payloadBytes);
        sent.add(lease);
        sentNumbers.add(number);
        return number;
    }

    /** Releases the frames whose posts have ended. */
    void releaseEnded() {
        while (!sent.isEmpty() && sentNumbers.peek() <= events.ended) {
            sentNumbers.remove();
            sent.remove().release();
        }
    }

    /** Closes the link, or abandons what never was one, and releases all leases. */
    void close() {
        if (link == null) {
            pending.abandon();
        } else {
            link.close();
            link.close();
        }
        receives.forEach(Lease::release);
        sent.forEach(Lease::release);
        others.forEach(Lease::release);
        receives.clear();
        sent.clear();
        others.clear();
    }
}

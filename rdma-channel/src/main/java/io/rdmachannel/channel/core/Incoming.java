// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.protocol.Announcement;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.channel.protocol.RegionNotice;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.lang.foreign.MemorySegment;

/** What a channel receives: puts it in order, fetches long messages, and tells the channel. The loop's thread only. */
final class Incoming {
    /** Who is told. */
    interface Receiver {
        /** A message, in order. */
        void message(Lease lease, long length);

        /** A write with immediate, in order. */
        void immediate(int value, long length);

        /**
         * Notes that a region of the peer is there, or gone.
         *
         * @throws ProtocolException if that cannot be
         */
        RemoteRegion regionChanged(RegionNotice notice, boolean exposed);

        /** Tells of it. */
        void region(RemoteRegion region, boolean exposed);

        /**
         * After a recovery: the peer's regions have been told.
         *
         * @throws ProtocolException if there was none
         */
        void resumed();

        /** The peer has sent its last message, and all have been told. */
        void end();
    }

    private Link link;
    private final RegisteredMemoryPool pool;
    private Receives receives;
    private final Credits credits;
    private final Outgoing outgoing;
    private final Receiver receiver;
    private final Arrivals arrivals;
    private final ArrivedHeader header = new ArrivedHeader();
    private final Fetch fetch = new Fetch();
    private final Conversation values;
    private long lastArrived;
    private long immediatesTold;
    private final EarlyImmediates early = new EarlyImmediates();
    private long postsEnded;
    private Lease current;
    private boolean retained;

    /**
     * Begins.
     *
     * @param link where pieces of long messages are read
     * @param outgoing what the peer's acknowledgements are for
     * @param credits who may send
     * @param receives the receive buffers
     * @param values what both sides go by
     * @param receiver who is told
     */
    Incoming(Link link, Outgoing outgoing, Credits credits, Receives receives, Conversation values, Receiver receiver) {
        this.link = link;
        this.outgoing = outgoing;
        this.credits = credits;
        this.receives = receives;
        this.values = values;
        this.receiver = receiver;
        this.pool = receives.pool();
        this.arrivals = new Arrivals(values.receiveDepth() + 1);
        header.transport(link.transport());
    }

    /**
     * A frame has arrived.
     *
     * @throws ProtocolException if it is none, or one too many; the lease is the caller's then
     */
    void frame(Lease receive, long payloadBytes) {
        header.read(receive);
        int length = header.length();
        if (length != payloadBytes) {
            throw new ProtocolException("a frame says that it has " + length + " bytes, and has " + payloadBytes);
        }
        credits.arrived();
        outgoing.peerState(header.acknowledged(), header.granted());
        switch (header.type()) {
            case FrameHeader.MESSAGE -> arrived(receive, length);
            case FrameHeader.ANNOUNCEMENT -> announced(receive, length);
            case FrameHeader.ACKNOWLEDGEMENT -> {
                credits.heardOne();
                supply(receive);
            }
            case FrameHeader.REGION_EXPOSED -> notice(receive, length, true);
            case FrameHeader.REGION_REVOKED -> notice(receive, length, false);
            case FrameHeader.RESUMED -> {
                receiver.resumed();
                credits.handledOne(false);
                supply(receive);
            }
            case FrameHeader.END -> inOrder(Arrivals.Kind.END, receive, 0, 0, 0);
            default -> throw new ProtocolException("a frame of type " + header.type());
        }
    }

    /**
     * The peer has written with immediate.
     *
     * @throws ProtocolException if it had no credit for it; the lease is the caller's then
     */
    void immediate(Lease receive, int value, long length) {
        credits.arrived();
        inOrder(Arrivals.Kind.IMMEDIATE, receive, length, lastArrived, value);
    }

    /** Posts of this side have ended; a message may have been fetched. */
    void ended(long upTo) {
        postsEnded = upTo;
        proceed();
    }

    /** Goes on with what had to wait: for room, for memory, for a receive buffer. Says whether something still does. */
    boolean proceed() {
        replaceReceives();
        tellEarly();
        boolean waits = advance();
        while (!waits && !arrivals.isEmpty()) {
            waits = next();
        }
        return waits || receives.areMissing();
    }

    /** Keeps the message that is being told. */
    Lease retain() {
        if (current == null) {
            throw new IllegalStateException(
                    "no message is being handled: retainMessage() belongs into ChannelHandler.onMessage");
        }
        retained = true;
        return current.retain();
    }

    /** Gives what is waiting back; the link is closed. */
    void cancel() {
        arrivals.cancel(receives);
        if (fetch.isActive()) {
            fetch.end().release();
        }
    }

    /** How many writes with immediate have been told, or are kept until they can be. */
    long immediatesArrived() {
        return immediatesTold + early.count();
    }

    /** The link is closed: keeps what the peer does not send again. */
    void suspend() {
        arrivals.forEachImmediate(early::add);
        cancel();
    }

    /** Goes on with another link; what had not been told comes again. */
    void resume(Link next, Receives another) {
        link = next;
        header.transport(next.transport());
        receives = another;
        postsEnded = 0;
        lastArrived = credits.handled();
    }

    private void arrived(Lease receive, int length) {
        countArrival();
        if (length > values.eagerBytes()) {
            throw new ProtocolException(
                    "a message of " + length + " bytes at once; the longest is " + values.eagerBytes());
        }
        if (fetch.isActive() || !arrivals.isEmpty()) {
            arrivals.add(Arrivals.Kind.MESSAGE, receive, length, 0, 0);
        } else {
            tell(receive, length);
            tellEarly();
        }
    }

    private void announced(Lease receive, int frameLength) {
        countArrival();
        MemorySegment payload = receive.segment();
        long length = Announcement.length(payload);
        if (frameLength != Announcement.BYTES || length <= values.eagerBytes() || length > values.maxMessageBytes()) {
            throw new ProtocolException("a message of " + length + " bytes is announced; from "
                    + (values.eagerBytes() + 1L) + " to " + values.maxMessageBytes() + " are possible");
        }
        long address = Announcement.address(payload);
        int key = Announcement.key(payload);
        arrivals.add(Arrivals.Kind.ANNOUNCEMENT, suppliedUnlessWaiting(receive), length, address, key);
        proceed();
    }

    private void countArrival() {
        long sequence = header.sequence();
        if (sequence != lastArrived + 1) {
            throw new ProtocolException("message " + sequence + " arrives after message " + lastArrived);
        }
        lastArrived = sequence;
    }

    private void notice(Lease receive, long length, boolean exposed) {
        RegionNotice notice = RegionNotice.read(receive.segment(), length);
        RemoteRegion region = receiver.regionChanged(notice, exposed);
        credits.handledOne(false);
        supply(receive);
        if (region != null) {
            receiver.region(region, exposed);
        }
    }

    /** What must be told after the messages before it, and needs its receive buffer no more. */
    private void inOrder(Arrivals.Kind kind, Lease receive, long length, long address, int number) {
        arrivals.add(kind, suppliedUnlessWaiting(receive), length, address, number);
        proceed();
    }

    /**
     * What waits keeps its receive, although nothing in it is needed: else a peer could have more and more waiting.
     * Returns the receive that is kept, or null.
     */
    private Lease suppliedUnlessWaiting(Lease receive) {
        if (fetch.isActive() || !arrivals.isEmpty()) {
            return receive;
        }
        supply(receive);
        return null;
    }

    /** Removes what waited, and gives its receive back. */
    private void removeArrival() {
        Lease receive = arrivals.lease();
        arrivals.remove();
        if (receive != null) {
            supply(receive);
        }
    }

    /** Goes on with a message that is being fetched; says whether it still is. */
    private boolean advance() {
        if (!fetch.isActive()) {
            return false;
        }
        fetch.post(link, Conversation.NOTICE_ROOM / 2);
        if (!fetch.isDone(postsEnded)) {
            return true;
        }
        long length = fetch.length();
        tellFetched(fetch.end(), length);
        tellEarly();
        return false;
    }

    /** Takes the next arrival; says whether it has to wait. */
    private boolean next() {
        switch (arrivals.kind()) {
            case MESSAGE -> {
                Lease receive = arrivals.lease();
                long length = arrivals.length();
                arrivals.remove();
                tell(receive, length);
                tellEarly();
            }
            case ANNOUNCEMENT -> {
                return beginFetch();
            }
            case IMMEDIATE -> {
                long length = arrivals.length();
                int value = arrivals.number();
                credits.handledOne(false);
                removeArrival();
                immediatesTold++;
                receiver.immediate(value, length);
            }
            case END -> {
                credits.handledOne(false);
                removeArrival();
                receiver.end();
            }
            default -> throw new AssertionError(arrivals.kind());
        }
        return false;
    }

    private void tellEarly() {
        while (early.isDue(credits.handled())) {
            immediatesTold++;
            early.tellNext(receiver);
        }
    }

    private boolean beginFetch() {
        Lease target = pool.acquire(arrivals.length());
        if (target == null) {
            return true;
        }
        fetch.begin(target, arrivals.address(), arrivals.length(), arrivals.number());
        removeArrival();
        return advance();
    }

    private void tell(Lease receive, long length) {
        boolean told = false;
        try {
            tellKeeping(receive, length);
            told = true;
        } finally {
            if (!told && !retained) {
                receives.drop(receive);
            } else if (!told) {
                receives.lose(receive);
            }
        }
        if (retained) {
            credits.supplied(receives.lose(receive));
        } else {
            supply(receive);
        }
    }

    private void tellFetched(Lease message, long length) {
        try {
            tellKeeping(message, length);
        } finally {
            message.release();
        }
    }

    private void tellKeeping(Lease lease, long length) {
        retained = false;
        current = lease;
        lease.length(length);
        try {
            receiver.message(lease, length);
        } finally {
            current = null;
        }
        credits.handledOne(true);
    }

    private void replaceReceives() {
        for (int more = receives.replaceOne(link); more >= 0; more = receives.replaceOne(link)) {
            credits.replaced(more);
        }
    }

    private void supply(Lease receive) {
        credits.supplied(receives.supply(receive, link));
    }
}

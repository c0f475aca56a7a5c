// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.protocol.Announcement;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.channel.protocol.RegionNotice;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.lang.foreign.MemorySegment;

/** What a channel sends: messages, notices, acknowledgements. The event loop's thread only. */
final class Outgoing {
    private Link link;
    private final RegisteredMemoryPool pool;
    private final Credits credits;
    private final SendWindow window;
    private final PostedFrames frames;
    private final OutgoingPlan plan;
    private long postsEnded;
    /** Null when it was carried inline. */
    private Lease lastFrame;

    private long lastPost;

    /**
     * Begins.
     *
     * @param link where frames go
     * @param pool where their memory comes from
     * @param credits who may send
     * @param plan how
     */
    Outgoing(Link link, RegisteredMemoryPool pool, Credits credits, OutgoingPlan plan) {
        this.link = link;
        this.pool = pool;
        this.credits = credits;
        this.window = new SendWindow(plan.sendDepth(), plan.usual());
        this.frames = new PostedFrames(Conversation.linkDepth(plan.sendDepth()) * 2);
        this.plan = plan;
    }

    /** Says whether a message can be sent now, but for memory. */
    Submission canSend() {
        if (!window.hasRoom() || link.room() <= Conversation.NOTICE_ROOM) {
            return Submission.QUEUE_FULL;
        }
        return credits.canSendMessage() ? Submission.ACCEPTED : Submission.NO_CREDIT;
    }

    /**
     * Sends a message whose bytes lie in a lease. The lease is kept when it is accepted, and the caller's otherwise.
     */
    Submission send(Lease message, long length, long token, Completion completion) {
        Submission answer = canSend();
        if (answer != Submission.ACCEPTED) {
            return answer;
        }
        return length <= plan.eagerBytes()
                ? sendAtOnce(message, (int) length, token, completion)
                : announce(message, length, token, completion);
    }

    /** Whether a message of that length goes with its post, so that it needs no memory of the pool. */
    boolean carriesInline(long length) {
        return length <= link.inlineBytes() && !plan.keepsMessages();
    }

    /** Sends a message that the post carries; when {@link #canSend} allows it. */
    void sendInline(MemorySegment source, long offset, int length, long token, Completion completion) {
        postInline(FrameHeader.MESSAGE, source, offset, length);
        window.add(null, lastPost, token, completion);
    }

    /** Says that a region is there, or gone; false when that is impossible now. */
    boolean notice(int type, RegionNotice notice) {
        Lease frame = noticeFrame(RegionNotice.MAX_BYTES);
        if (frame == null) {
            return false;
        }
        postNotice(frame, type, notice.write(frame.segment()));
        return true;
    }

    /** Says that nothing more will be sent; false when that is impossible now. */
    boolean end() {
        return postNotice(FrameHeader.END);
    }

    /**
     * Tells the peer what has been handled: with the last frame when that has not gone yet, as an answer sent by a
     * handler, else by itself if it should be told, or if there is nothing else to do; says whether by itself.
     */
    boolean acknowledge(boolean idle) {
        if (credits.isStateUnreported() && lastPost > 0 && link.isChangeable(lastPost)) {
            changeState();
        }
        if (credits.isReportDue() || idle && credits.hasNews()) {
            return postNotice(FrameHeader.ACKNOWLEDGEMENT);
        }
        return false;
    }

    /** The peer has said what it has handled and how many receives it has posted. */
    void peerState(long acknowledged, long granted) {
        credits.peerGranted(granted);
        window.acknowledge(acknowledged, link);
        window.release(postsEnded);
    }

    void ended(long upTo) {
        postsEnded = upTo;
        frames.release(upTo);
        window.release(upTo);
    }

    /** The link is closed; what has not been acknowledged is kept for another one. */
    void suspend() {
        frames.releaseAll();
        window.suspend();
        link = null;
    }

    /**
     * Goes on with another link.
     *
     * @param next the link
     * @param handled how many messages the peer has handled
     * @throws ProtocolException if that cannot be
     */
    void resume(Link next, long handled) {
        if (handled < window.acknowledged()) {
            throw new ProtocolException("the peer says that it has handled " + handled + " messages, and has"
                    + " acknowledged " + window.acknowledged());
        }
        postsEnded = 0;
        lastPost = 0;
        window.acknowledge(handled, null);
        window.suspend();
        link = next;
    }

    RegisteredMemoryPool pool() {
        return pool;
    }

    /** The number of the last message that was accepted; 0 when there was none. */
    long lastSequence() {
        return window.last();
    }

    /** The number of the last post that has ended. */
    long postsEnded() {
        return postsEnded;
    }

    long acknowledged() {
        return window.acknowledged();
    }

    /** Posts a message once more that was posted on another link; false when there is no room, credit or memory now. */
    boolean postAgain(long sequence) {
        if (link.room() <= Conversation.NOTICE_ROOM || !credits.canSendMessage()) {
            return false;
        }
        Lease message = window.message(sequence);
        if (window.isOffered(sequence)) {
            return announceAgain(message, sequence);
        }
        MemorySegment header = message.headroom();
        writeState(header);
        window.postedAgain(sequence, post(message, FrameHeader.length(header)));
        credits.use();
        return true;
    }

    /** Says that the regions have been told again; false when that is impossible now. */
    boolean resumed() {
        return postNotice(FrameHeader.RESUMED);
    }

    /** Whether the peer has handled all messages. */
    boolean isAcknowledged() {
        return window.isAcknowledged();
    }

    boolean isEmpty() {
        return window.isEmpty();
    }

    /** Ends everything; the link is closed. */
    void cancel() {
        window.cancel(link);
        frames.releaseAll();
    }

    private Submission sendAtOnce(Lease message, int length, long token, Completion completion) {
        writeHeader(message, FrameHeader.MESSAGE, length, window.nextSequence());
        long post = post(message, length);
        credits.use();
        window.add(message, post, token, completion);
        return Submission.ACCEPTED;
    }

    private Submission announce(Lease message, long length, long token, Completion completion) {
        Lease frame = pool.acquire(Announcement.BYTES);
        if (frame == null || !frames.hasRoom()) {
            releaseUnless(frame);
            return frame == null ? Submission.POOL_EXHAUSTED : Submission.QUEUE_FULL;
        }
        int key = link.offer(message);
        Announcement.put(frame.segment(), link.offeredAddress(message), length, key);
        long post = postAnnouncement(frame, window.nextSequence());
        window.add(message, post, token, completion);
        window.offeredAs(key, length);
        return Submission.ACCEPTED;
    }

    private boolean announceAgain(Lease message, long sequence) {
        Lease frame = pool.acquire(Announcement.BYTES);
        if (frame == null || !frames.hasRoom()) {
            releaseUnless(frame);
            return false;
        }
        int key = link.offer(message);
        Announcement.put(frame.segment(), link.offeredAddress(message), window.offeredLength(sequence), key);
        window.postedAgain(sequence, postAnnouncement(frame, sequence));
        window.offerAgain(sequence, key);
        return true;
    }

    private long postAnnouncement(Lease frame, long sequence) {
        writeHeader(frame, FrameHeader.ANNOUNCEMENT, Announcement.BYTES, sequence);
        long post = post(frame, Announcement.BYTES);
        credits.use();
        frames.add(frame, post);
        return post;
    }

    private static void releaseUnless(Lease frame) {
        if (frame != null) {
            frame.release();
        }
    }

    private Lease noticeFrame(long payloadBytes) {
        boolean possible = credits.canSendNotice() && link.room() > 0 && frames.hasRoom();
        return possible ? pool.acquire(payloadBytes) : null;
    }

    /** Posts a frame of nothing but its header; false when that is impossible now. */
    private boolean postNotice(int type) {
        if (link.inlineBytes() >= 0 && credits.canSendNotice() && link.room() > 0) {
            postInline(type, MemorySegment.NULL, 0, 0);
            return true;
        }
        Lease frame = noticeFrame(0);
        if (frame != null) {
            postNotice(frame, type, 0);
        }
        return frame != null;
    }

    private void postInline(int type, MemorySegment payload, long offset, int length) {
        long sequence = window.nextSequence();
        lastPost = link.postInline(type, sequence, credits.handled(), credits.granted(), payload, offset, length);
        lastFrame = null;
        credits.reported();
        credits.use();
    }

    private void postNotice(Lease frame, int type, int length) {
        writeHeader(frame, type, length, window.nextSequence());
        long post = post(frame, length);
        credits.use();
        frames.add(frame, post);
    }

    private void writeHeader(Lease frame, int type, int length, long sequence) {
        MemorySegment header = frame.headroom();
        FrameHeader.put(header, type, length, sequence);
        writeState(header);
    }

    private void changeState() {
        if (lastFrame == null) {
            link.changeInline(credits.handled(), credits.granted());
            credits.reported();
        } else {
            writeState(lastFrame.headroom());
            link.changed(lastFrame);
        }
    }

    private void writeState(MemorySegment header) {
        FrameHeader.putState(header, credits.handled(), credits.granted());
        credits.reported();
    }

    private long post(Lease frame, long payloadBytes) {
        lastFrame = frame;
        lastPost = link.post(frame, payloadBytes);
        return lastPost;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.protocol.Announcement;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.RegionNotice;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.lang.foreign.MemorySegment;

/** What a channel sends: messages, notices, acknowledgements. The event loop's thread only. */
final class Outgoing {
    private final Link link;
    private final RegisteredMemoryPool pool;
    private final Credits credits;
    private final SendWindow window;
    private final PostedFrames frames;
    private final long eagerBytes;
    private long postsEnded;
    private Lease lastFrame;
    private long lastPost;

    /**
     * Begins.
     *
     * @param link where frames go
     * @param pool where their memory comes from
     * @param credits who may send
     * @param sendDepth how many messages may be outstanding
     * @param eagerBytes the longest message that is sent at once
     */
    Outgoing(Link link, RegisteredMemoryPool pool, Credits credits, int sendDepth, long eagerBytes) {
        this.link = link;
        this.pool = pool;
        this.credits = credits;
        this.window = new SendWindow(sendDepth);
        this.frames = new PostedFrames(Conversation.linkDepth(sendDepth) * 2);
        this.eagerBytes = eagerBytes;
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
        return length <= eagerBytes
                ? sendAtOnce(message, (int) length, token, completion)
                : announce(message, length, token, completion);
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
        Lease frame = noticeFrame(0);
        if (frame == null) {
            return false;
        }
        postNotice(frame, FrameHeader.END, 0);
        return true;
    }

    /**
     * Tells the peer what has been handled: with the last frame when that has not gone yet, as an answer sent by a
     * handler, else by itself if it should be told, or if there is nothing else to do.
     */
    void acknowledge(boolean idle) {
        if (credits.isStateUnreported() && link.isChangeable(lastPost)) {
            writeState(lastFrame.headroom());
            link.changed(lastFrame);
        }
        if (credits.isReportDue() || idle && credits.hasNews()) {
            Lease frame = noticeFrame(0);
            if (frame != null) {
                postNotice(frame, FrameHeader.ACKNOWLEDGEMENT, 0);
            }
        }
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
        frames.release(Long.MAX_VALUE);
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
        writeHeader(frame, FrameHeader.ANNOUNCEMENT, Announcement.BYTES, window.nextSequence());
        long post = post(frame, Announcement.BYTES);
        credits.use();
        frames.add(frame, post);
        window.add(message, post, token, completion);
        window.offeredAs(key);
        return Submission.ACCEPTED;
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

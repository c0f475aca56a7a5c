// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.protocol.ProtocolException;

/**
 * Who may send how many frames. Each frame uses up a receive of the other side, so a side sends only as many as the
 * other one has posted receives, and says in each frame how many it has posted itself. Counts run from the beginning
 * and never go back, so that it does not matter which frame told them first.
 *
 * <p>The last few receives are kept for frames that say nothing but this: a side that has used up its credit with
 * messages can still acknowledge, and so give the other side its credit back.
 */
final class Credits {
    /** Receives that messages leave to acknowledgements and notices. */
    static final int RESERVE = 4;

    private static final int REPORT_SHARE = 4;
    private static final int ANSWER_SHARE = 2;

    private final int peerDepth;
    /** How many messages the peer can send before it has to be told of more. */
    private int window;

    private long peerGranted;
    private long used;
    private long granted;
    private long messagesUnreported;
    private long answersUnreported;
    private long handled;
    private long arrived;
    private boolean stateUnreported;

    /**
     * Begins; both sides' receives are posted already.
     *
     * @param credit receives of this side that the peer can count on at the beginning
     * @param peerCredit receives of the peer that this side can count on at the beginning
     * @param peerDepth receives that the peer can have at most
     */
    Credits(int credit, int peerCredit, int peerDepth) {
        this.window = credit;
        this.peerDepth = peerDepth;
        this.granted = credit;
        this.peerGranted = peerCredit;
    }

    /** Begins anew on another link; what has been handled counts on. */
    void restart(int credit, int peerCredit) {
        window = credit;
        granted = credit;
        peerGranted = peerCredit;
        used = 0;
        arrived = 0;
        messagesUnreported = 0;
        answersUnreported = 0;
        stateUnreported = true;
    }

    boolean canSendMessage() {
        return peerGranted - used > RESERVE;
    }

    boolean canSendNotice() {
        return peerGranted > used;
    }

    /** A frame is sent. */
    void use() {
        used++;
    }

    /**
     * Something of the peer's has arrived.
     *
     * @throws ProtocolException if it had no credit for it
     */
    void arrived() {
        arrived++;
        if (arrived > granted) {
            throw new ProtocolException("it sends more than it has credit for");
        }
    }

    /** A receive was used, and dealt with or kept; the peer can count on so many more for it. */
    void supplied(int count) {
        granted += count;
        window += count - 1;
        stateUnreported = true;
    }

    /** A message has been handled, or something else that arrived and used a receive. */
    void handledOne(boolean message) {
        messagesUnreported++;
        if (message) {
            handled++;
        }
        stateUnreported = true;
    }

    /** A receive was posted for one that somebody had kept, and the peer can count on so many more for it. */
    void replaced(int count) {
        supplied(count);
        window++;
        // The message was reported long ago, and a peer without credit sends nothing that would be answered.
        messagesUnreported++;
    }

    /** A mere acknowledgement has arrived. */
    void heardOne() {
        answersUnreported++;
    }

    /**
     * The peer says how many receives it has posted.
     *
     * @throws ProtocolException if that cannot be
     */
    void peerGranted(long count) {
        if (count > used + peerDepth || count < 0) {
            throw new ProtocolException("the peer says that it has posted " + count + " receives; of the " + peerDepth
                    + " that it may have, " + used + " have been used");
        }
        peerGranted = Math.max(peerGranted, count);
    }

    /** How many messages of the peer have been handled. */
    long handled() {
        return handled;
    }

    long granted() {
        return granted;
    }

    /** What there was to say has been put into a frame. */
    void reported() {
        messagesUnreported = 0;
        answersUnreported = 0;
        stateUnreported = false;
    }

    /**
     * Says whether the peer should be told now, even if more may come soon. Mere acknowledgements use up receives
     * too, and a peer that gets nothing but writes sends nothing else; they are answered many at a time, or two sides
     * would answer each other for ever.
     */
    boolean isReportDue() {
        return messagesUnreported * REPORT_SHARE >= window && messagesUnreported > 0
                || answersUnreported * ANSWER_SHARE >= window && answersUnreported > 1;
    }

    /** Says whether there is something that the peer has not been told. */
    boolean isStateUnreported() {
        return stateUnreported;
    }

    /** Says whether there is something to tell when nothing else is to be done. */
    boolean hasNews() {
        return stateUnreported && messagesUnreported > 0;
    }
}

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

    private final int depth;
    private final int peerDepth;
    private long peerGranted;
    private long used;
    private long granted;
    private long messagesUnreported;
    private long handled;
    private boolean stateUnreported;

    /**
     * Begins; both sides' receives are posted already.
     *
     * @param depth receives of this side
     * @param peerDepth receives of the peer
     */
    Credits(int depth, int peerDepth) {
        this.depth = depth;
        this.peerDepth = peerDepth;
        this.granted = depth;
        this.peerGranted = peerDepth;
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

    /** A receive is posted. */
    void supplied() {
        granted++;
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
        stateUnreported = false;
    }

    /**
     * Says whether the peer should be told now, even if more may come soon. Only what is no mere acknowledgement
     * counts, or two sides would answer each other for ever.
     */
    boolean isReportDue() {
        return messagesUnreported * REPORT_SHARE >= depth;
    }

    /** Says whether there is something to tell when nothing else is to be done. */
    boolean hasNews() {
        return stateUnreported && messagesUnreported > 0;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.mempool.Lease;
import java.util.Arrays;

/**
 * The messages that were sent and not yet acknowledged, by sequence number. A message is told as ended when the peer
 * has handled it; its buffer goes back when its post has ended too.
 */
final class SendWindow {
    private final Lease[] messages;
    private final long[] posts;
    private final long[] tokens;
    private final int[] offers;
    private final long[] lengths;
    private final boolean[] offered;
    private final Completion[] completions;
    private final Completion usual;
    private final int mask;
    private final int capacity;
    private long last;
    private long acknowledged;
    private long released;

    /**
     * Makes an empty one.
     *
     * @param capacity how many messages it holds
     * @param usual whom most of them tell, so that nothing has to be stored for that
     */
    SendWindow(int capacity, Completion usual) {
        int size = Rings.size(capacity);
        this.capacity = capacity;
        this.mask = size - 1;
        this.messages = new Lease[size];
        this.posts = new long[size];
        this.tokens = new long[size];
        this.offers = new int[size];
        this.lengths = new long[size];
        this.offered = new boolean[size];
        this.usual = usual;
        this.completions = new Completion[size];
        Arrays.fill(completions, usual);
    }

    boolean hasRoom() {
        return last - released < capacity;
    }

    /** Whether the peer has handled all. */
    boolean isAcknowledged() {
        return acknowledged == last;
    }

    /** Whether all buffers are back, too. */
    boolean isEmpty() {
        return released == last;
    }

    /** The number of the last message that was added; 0 when there was none. */
    long last() {
        return last;
    }

    /** The number of the last message that the peer has handled. */
    long acknowledged() {
        return acknowledged;
    }

    /** The number that the next message gets; from 1. */
    long nextSequence() {
        return last + 1;
    }

    /** Adds the next message; it keeps the lease, if there is one. */
    void add(Lease message, long post, long token, Completion completion) {
        last++;
        int index = index(last);
        if (message != null) {
            messages[index] = message;
        }
        posts[index] = post;
        tokens[index] = token;
        if (completion != usual) {
            completions[index] = completion;
        }
        offered[index] = false;
    }

    /** Says that the message added last is offered under a key until it is acknowledged. */
    void offeredAs(int key, long length) {
        lengths[index(last)] = length;
        offerAgain(last, key);
    }

    void offerAgain(long sequence, int key) {
        offers[index(sequence)] = key;
        offered[index(sequence)] = true;
    }

    Lease message(long sequence) {
        return messages[index(sequence)];
    }

    boolean isOffered(long sequence) {
        return offered[index(sequence)];
    }

    /** The length of a message that is offered. */
    long offeredLength(long sequence) {
        return lengths[index(sequence)];
    }

    /**
     * The link is closed: nothing is posted any more, and what has not been handled is posted again on another one.
     */
    void suspend() {
        release(Long.MAX_VALUE);
        for (long sequence = released + 1; sequence <= last; sequence++) {
            posts[index(sequence)] = Long.MAX_VALUE;
        }
    }

    void postedAgain(long sequence, long post) {
        posts[index(sequence)] = post;
    }

    /**
     * The peer has handled messages.
     *
     * @param upTo the last one
     * @param link whose offers end; null when it is closed, and all its offers with it
     * @throws ProtocolException if it cannot have handled so many
     */
    void acknowledge(long upTo, Link link) {
        if (upTo < 0 || upTo > last) {
            throw new ProtocolException("the peer acknowledges message " + upTo + "; the last one is " + last);
        }
        while (acknowledged < upTo) {
            acknowledged++;
            end(index(acknowledged), Outcome.SUCCESS, link);
        }
    }

    /** Gives buffers back whose messages are acknowledged and whose posts have ended. */
    void release(long postsEnded) {
        while (released < acknowledged && posts[index(released + 1)] <= postsEnded) {
            released++;
            free(index(released));
        }
    }

    /** Ends all; the link is closed. */
    void cancel(Link link) {
        while (acknowledged < last) {
            acknowledged++;
            end(index(acknowledged), Outcome.CANCELLED, link);
        }
        release(Long.MAX_VALUE);
    }

    private void end(int index, Outcome outcome, Link link) {
        if (offered[index] && link != null) {
            link.withdraw(offers[index]);
        }
        Completion completion = completions[index];
        if (completion != usual) {
            completions[index] = usual;
        }
        completion.ended(tokens[index], outcome);
    }

    private void free(int index) {
        Lease message = messages[index];
        if (message != null) {
            message.release();
            messages[index] = null;
        }
    }

    private int index(long sequence) {
        return (int) sequence & mask;
    }
}

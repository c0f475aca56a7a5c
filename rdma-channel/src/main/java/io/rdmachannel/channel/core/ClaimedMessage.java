// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.OutgoingMessage;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The one message of a channel that is being written in place. */
final class ClaimedMessage implements OutgoingMessage {
    private final ChannelCore channel;
    private Lease lease;
    private long claimed;

    ClaimedMessage(ChannelCore channel) {
        this.channel = channel;
    }

    /** Begins with a lease; this when it is not null. */
    ClaimedMessage begin(Lease message, long length) {
        lease = message;
        claimed = length;
        return message == null ? null : this;
    }

    boolean isOpen() {
        return lease != null;
    }

    @Override
    public MemorySegment segment() {
        return open().segment();
    }

    @Override
    public Submission commit(long length) {
        return commit(length, 0, Completion.NONE);
    }

    @Override
    public Submission commit(long length, long token) {
        return commit(length, token, channel.told());
    }

    @Override
    public void abort() {
        channel.requireThread();
        if (lease != null) {
            lease.release();
            lease = null;
        }
    }

    private Submission commit(long length, long token, Completion completion) {
        channel.requireThread();
        Lease message = open();
        Objects.checkFromIndexSize(0, length, claimed);
        Submission answer = channel.counted(channel.submit(message, length, token, completion));
        if (answer == Submission.ACCEPTED) {
            lease = null;
        }
        return answer;
    }

    private Lease open() {
        if (lease == null) {
            throw new IllegalStateException(
                    "there is no open claim: RdmaChannel.claim begins one, and commit and abort" + " end it");
        }
        return lease;
    }
}

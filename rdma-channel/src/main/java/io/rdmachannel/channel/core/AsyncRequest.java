// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.Submission;
import java.util.concurrent.CompletableFuture;

/** Something that was asked for by any thread, and waits for room or for its end. The event loop's thread only. */
abstract class AsyncRequest<T> implements Completion {
    private final String what;
    private final CompletableFuture<T> future = new CompletableFuture<>();

    /** Names it for messages. */
    AsyncRequest(String what) {
        this.what = what;
    }

    final CompletableFuture<T> future() {
        return future;
    }

    /** Tries to begin; its end is told to this. */
    abstract Submission begin();

    /** What it ends with, when it has ended well. */
    abstract T result();

    /** Gives back what it holds. */
    void release() {}

    /** Tries to begin; says whether it has to wait. */
    final boolean waits() {
        Submission answer;
        try {
            answer = begin();
        } catch (RuntimeException refused) {
            release();
            future.completeExceptionally(refused);
            return false;
        }
        if (answer == Submission.REGION_REVOKED) {
            refuse(Reason.REMOTE_ACCESS, " cannot be done: the peer has revoked the region");
        } else if (!answer.isAccepted() && !answer.isBackPressure()) {
            refuse(Reason.CLOSED, " cannot be done: the channel is not open");
        }
        return answer.isBackPressure();
    }

    @Override
    public final void ended(long token, Outcome outcome) {
        switch (outcome) {
            case SUCCESS -> succeed();
            case REMOTE_ACCESS_ERROR -> refuse(Reason.REMOTE_ACCESS, " was refused by the peer");
            case UNKNOWN ->
                refuse(Reason.CLOSED, " has happened once or not at all: the channel ended before the answer came");
            case CANCELLED -> refuse(Reason.CLOSED, " has not ended well before the channel ended");
            default -> throw new AssertionError(outcome);
        }
    }

    private void succeed() {
        T result = result();
        release();
        future.complete(result);
    }

    private void refuse(Reason reason, String why) {
        release();
        future.completeExceptionally(new ChannelException(reason, what + why));
    }
}

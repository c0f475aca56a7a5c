// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.Submission;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/** Sends from any thread, which wait here for room, in their order. The event loop's thread only. */
final class AsyncSends {
    private final ChannelCore channel;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** One that waits. */
    private record Waiting(MemorySegment source, CompletableFuture<Void> future) implements Completion {
        @Override
        public void ended(long token, Outcome outcome) {
            if (outcome == Outcome.SUCCESS) {
                future.complete(null);
            } else {
                future.completeExceptionally(new ChannelException(
                        ChannelException.Reason.CLOSED,
                        "the channel ended before the peer had acknowledged the message: " + outcome));
            }
        }
    }

    AsyncSends(ChannelCore channel) {
        this.channel = channel;
    }

    void add(MemorySegment source, CompletableFuture<Void> future) {
        waiting.add(new Waiting(source, future));
        proceed();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Sends what there is room for; says whether some still wait. */
    boolean proceed() {
        while (!waiting.isEmpty()) {
            Waiting next = waiting.peek();
            Submission answer = attempt(next);
            if (answer.isBackPressure()) {
                return true;
            }
            waiting.remove();
            if (!answer.isAccepted()) {
                next.ended(0, Outcome.CANCELLED);
            }
        }
        return false;
    }

    /** Ends all. */
    void cancel() {
        while (!waiting.isEmpty()) {
            waiting.remove().ended(0, Outcome.CANCELLED);
        }
    }

    private Submission attempt(Waiting next) {
        try {
            return channel.send(next.source, 0, next.source.byteSize(), 0, next);
        } catch (RuntimeException refused) {
            next.future.completeExceptionally(refused);
            return Submission.ACCEPTED;
        }
    }
}

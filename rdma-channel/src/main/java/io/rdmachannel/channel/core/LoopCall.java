// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** What threads of handshakes ask of an event loop's thread, and wait for. */
final class LoopCall {
    private LoopCall() {}

    /**
     * Has something done in the loop's thread; blocks.
     *
     * @throws ChannelException at the deadline, and when the loop is closed
     */
    static <T> T in(EventLoop loop, Deadline deadline, Supplier<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        boolean possible = loop.executeUnlessClosed(() -> {
            try {
                result.complete(action.get());
            } catch (RuntimeException failed) {
                result.completeExceptionally(failed);
            }
        });
        if (!possible) {
            throw new ChannelException(Reason.CLOSED, loop + " is closed");
        }
        return await(result, deadline, loop + " was not polled");
    }

    /**
     * Waits for something that the loop's thread completes.
     *
     * @param otherwise what it means when it does not come, for the message
     * @throws ChannelException at the deadline
     */
    static <T> T await(CompletableFuture<T> result, Deadline deadline, String otherwise) {
        try {
            return result.get(Math.max(1, deadline.left().toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new ChannelException(Reason.TIMEOUT, otherwise + " within handshakeTimeout", late);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException known
                    ? known
                    : new ChannelException(Reason.TRANSPORT, "it failed: " + failed.getCause(), failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ChannelException(Reason.CLOSED, "connecting anew was interrupted", interrupted);
        }
    }
}

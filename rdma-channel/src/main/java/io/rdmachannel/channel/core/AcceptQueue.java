// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.RdmaChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Channels that are connected and that nobody has accepted, and those who wait for one. Any thread. */
final class AcceptQueue {
    private final EventLoop loop;
    private final int capacity;
    private final ArrayDeque<RdmaChannel> ready = new ArrayDeque<>();
    private final ArrayDeque<CompletableFuture<RdmaChannel>> waiting = new ArrayDeque<>();
    private int reserved;
    private boolean closed;

    AcceptQueue(EventLoop loop, int capacity) {
        this.loop = loop;
        this.capacity = capacity;
    }

    /**
     * Reserves a place for a channel whose handshake begins.
     *
     * @return to be completed with the channel
     * @throws ChannelException if all places are taken
     */
    CompletableFuture<RdmaChannel> reserve() {
        synchronized (this) {
            if (closed || ready.size() + reserved >= capacity) {
                throw new ChannelException(
                        closed ? Reason.REFUSED : Reason.BUSY,
                        closed
                                ? "the listener is closed"
                                : capacity + " channels wait to be accepted already, which is the acceptBacklog");
            }
            reserved++;
        }
        CompletableFuture<RdmaChannel> place = new CompletableFuture<>();
        place.whenComplete(this::arrived);
        return place;
    }

    RdmaChannel take(Duration timeout) throws InterruptedException {
        CompletableFuture<RdmaChannel> next = takeLater();
        if (loop.isOwner()) {
            loop.pollUntil(() -> next.isDone() || Thread.currentThread().isInterrupted(), timeout);
        }
        try {
            return next.get(
                    loop.isOwner() && !Thread.currentThread().isInterrupted() ? 0 : timeout.toNanos(),
                    TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return abandoned(next);
        } catch (InterruptedException interrupted) {
            RdmaChannel arrived = abandoned(next);
            if (arrived != null) {
                arrived.close();
            }
            throw interrupted;
        } catch (ExecutionException failed) {
            throw (ChannelException) failed.getCause();
        }
    }

    CompletableFuture<RdmaChannel> takeLater() {
        CompletableFuture<RdmaChannel> future = new CompletableFuture<>();
        RdmaChannel channel;
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(new ChannelException(Reason.CLOSED, "the listener is closed"));
            }
            channel = ready.poll();
            if (channel == null) {
                waiting.add(future);
            }
        }
        if (channel != null) {
            future.complete(channel);
        }
        return future;
    }

    void close() {
        List<RdmaChannel> unaccepted;
        List<CompletableFuture<RdmaChannel>> disappointed;
        synchronized (this) {
            closed = true;
            unaccepted = new ArrayList<>(ready);
            disappointed = new ArrayList<>(waiting);
            ready.clear();
            waiting.clear();
        }
        ChannelException reason = new ChannelException(Reason.CLOSED, "the listener was closed");
        disappointed.forEach(future -> future.completeExceptionally(reason));
        unaccepted.forEach(RdmaChannel::close);
    }

    private void arrived(RdmaChannel channel, Throwable failure) {
        synchronized (this) {
            reserved--;
        }
        if (channel != null) {
            deliver(channel);
        }
    }

    private void deliver(RdmaChannel channel) {
        CompletableFuture<RdmaChannel> next;
        do {
            synchronized (this) {
                next = waiting.poll();
                if (next == null && !closed) {
                    ready.add(channel);
                    return;
                }
            }
        } while (next != null && !next.complete(channel));
        if (next == null) {
            channel.close();
        }
    }

    /** A channel may have come at the last moment. */
    private RdmaChannel abandoned(CompletableFuture<RdmaChannel> next) {
        synchronized (this) {
            waiting.remove(next);
        }
        return next.cancel(false) ? null : next.getNow(null);
    }
}

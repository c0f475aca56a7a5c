// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import io.rdmachannel.channel.CompletionMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A follower in a thread of its own, which its poller belongs to; ends with its leader, or at its limit. */
final class FollowerThread {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();
    private final CompletableFuture<StateMachine> end = new CompletableFuture<>();
    private volatile StateMachine state;

    private FollowerThread(int ringBytes) {
        Thread.ofPlatform().name("follower").daemon().start(() -> run(ringBytes));
    }

    static FollowerThread start(int ringBytes) {
        return new FollowerThread(ringBytes);
    }

    InetSocketAddress address() throws Exception {
        return get(address);
    }

    /** Waits for the end of the log; throws what the follower threw. */
    StateMachine end() throws Exception {
        return get(end);
    }

    long applied() {
        return state.applied();
    }

    private void run(int ringBytes) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Follower follower = Follower.open(any, ReplicatedLogTest.tcp(), CompletionMode.ADAPTIVE, ringBytes)) {
            state = follower.state();
            address.complete(follower.address());
            follower.follow(LIMIT);
            end.complete(state);
        } catch (Throwable failure) {
            address.completeExceptionally(failure);
            end.completeExceptionally(failure);
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        } catch (TimeoutException late) {
            throw new AssertionError("the follower has not come so far in time", late);
        }
    }
}

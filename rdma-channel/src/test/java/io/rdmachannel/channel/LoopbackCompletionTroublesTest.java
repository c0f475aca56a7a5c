// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.LoopbackTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What others have had trouble with in completion queues and their events, by its number in docs/known-troubles.md. */
@LoopbackTest
@Timeout(value = 120, threadMode = ThreadMode.SAME_THREAD)
class LoopbackCompletionTroublesTest {
    private static final int ROUNDS = Integer.getInteger("channel.troubles.roundTrips", 3_000);
    private static final int CLOSES = 50;

    private final MemorySegment memory = Arena.ofShared().allocate(64);
    private Poller left;
    private Poller right;
    private RdmaListener listener;

    @AfterEach
    void shouldLeaveNothing() {
        listener.close();
        left.close();
        right.close();
    }

    /** One message is on its way at a time, so that nothing else would wake a side that sleeps through it. */
    @ParameterizedTest
    @EnumSource(
            value = CompletionMode.class,
            names = {"EVENT", "ADAPTIVE"})
    void shouldNotSleepThroughAMessageTrouble12(CompletionMode mode) throws Exception {
        listen(mode, (channel, buffer, offset, length) -> channel.send(buffer, offset, length));
        Semaphore answers = new Semaphore(0);
        RdmaChannel channel = connect((from, buffer, offset, length) -> answers.release());
        Random random = new Random(12);
        for (int round = 0; round < ROUNDS; round++) {
            left.execute(() -> channel.send(memory, 0, 64));
            assertThat(answers.tryAcquire(10, TimeUnit.SECONDS))
                    .as("round %d", round)
                    .isTrue();
            LockSupport.parkNanos(random.nextInt(200_000));
        }
        channel.close();
    }

    @Test
    void shouldCloseOneOfTwoChannelsThatShareEventsTrouble14() throws Exception {
        listen(CompletionMode.EVENT, (channel, buffer, offset, length) -> channel.send(buffer, offset, length));
        Semaphore answers = new Semaphore(0);
        RdmaChannel stays = connect((from, buffer, offset, length) -> answers.release());
        for (int round = 0; round < CLOSES; round++) {
            RdmaChannel goes = connect(new Recorder());
            for (int i = 0; i < 50; i++) {
                goes.sendAsync(memory);
                stays.sendAsync(memory);
            }
            long begin = System.nanoTime();
            goes.close();
            assertThat(System.nanoTime() - begin)
                    .isLessThan(Duration.ofSeconds(2).toNanos());
            assertThat(goes.state()).isEqualTo(ChannelState.CLOSED);
            assertThat(answers.tryAcquire(50, 10, TimeUnit.SECONDS))
                    .as("round %d", round)
                    .isTrue();
        }
        stays.close();
        assertThat(stays.failure()).isEmpty();
    }

    private void listen(CompletionMode mode, ChannelHandler handler) {
        left = Poller.start(config("left", mode));
        right = Poller.start(config("right", mode));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener =
                RdmaListener.bind(any, RdmaChannelCases.config().poller(right).build(), () -> handler);
    }

    private RdmaChannel connect(ChannelHandler handler) throws Exception {
        CompletableFuture<RdmaChannel> accepted = listener.acceptAsync().toCompletableFuture();
        ChannelConfig config = RdmaChannelCases.config().poller(left).build();
        RdmaChannel channel = RdmaChannel.connect(listener.address(), config, handler);
        accepted.get();
        return channel;
    }

    private static PollerConfig config(String name, CompletionMode mode) {
        return PollerConfig.of(name).withMode(mode).withPool(4L << 20, 64L << 20);
    }
}

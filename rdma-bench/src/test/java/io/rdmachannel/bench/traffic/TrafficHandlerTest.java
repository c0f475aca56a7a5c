// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.testing.Deadline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TrafficHandlerTest {
    private static final int MESSAGES = 40;
    private static final int LENGTH = 100;

    private final TrafficHandler server = new TrafficHandler();
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final AtomicInteger answers = new AtomicInteger();

    /** The client stands still in its handler, and so gives no credit meanwhile. */
    @Test
    void shouldAnswerLaterWhatCannotBeAnsweredAtOnce() throws Exception {
        try (Poller serving = Poller.create(PollerConfig.of("serving").withMode(CompletionMode.BUSY_POLL));
                Poller asking = Poller.start(PollerConfig.of("asking").withMode(CompletionMode.EVENT));
                RdmaListener listener = RdmaListener.bind(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        config(serving, MESSAGES + 8),
                        () -> server)) {
            CompletableFuture<RdmaChannel> accepted = listener.acceptAsync().toCompletableFuture();
            CompletableFuture<RdmaChannel> connected = RdmaChannel.connectAsync(
                            listener.address(), config(asking, 8), new Waiting())
                    .toCompletableFuture();
            while (!accepted.isDone() || !connected.isDone()) {
                serving.poll();
            }
            server.echoes = true;
            MemorySegment message = Arena.ofShared().allocate(LENGTH);
            CompletableFuture<Long> sent = new CompletableFuture<>();
            asking.execute(() ->
                    sent.complete(Stream.generate(() -> connected.join().send(message, 0, LENGTH))
                            .limit(MESSAGES)
                            .filter(Submission::isAccepted)
                            .count()));
            assertThat(sent.get()).isEqualTo(MESSAGES);
            DataLine line = new DataLine(accepted.get(), server, false, Duration.ofSeconds(30));
            while (server.messages < MESSAGES) {
                line.await();
            }
            assertThat(server.owed).isPositive();

            mayGoOn.countDown();
            server.settle(line);
            assertThat(server.owed).isZero();
            Deadline.usual().await("all answers", () -> serving.poll() >= 0 && answers.get() == MESSAGES);
        }
    }

    private static ChannelConfig config(Poller poller, int receives) {
        return ChannelConfig.builder()
                .transport(Transport.TCP)
                .poller(poller)
                .receiveDepth(receives)
                .sendDepth(MESSAGES + 8)
                .receiveBytes(1024)
                .build();
    }

    private final class Waiting implements ChannelHandler {
        @Override
        public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
            answers.incrementAndGet();
            try {
                mayGoOn.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

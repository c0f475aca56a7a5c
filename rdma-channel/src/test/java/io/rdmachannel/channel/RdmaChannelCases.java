// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.mempool.Lease;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** The contract over RDMA, wherever that can be had, and what is no part of the contract of all transports. */
abstract class RdmaChannelCases {
    @Nested
    class BusyPolling extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.BUSY_POLL);
        }
    }

    @Nested
    class Events extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.EVENT);
        }
    }

    @Nested
    class Adaptive extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.ADAPTIVE);
        }
    }

    @Nested
    class SharingReceives extends ChannelContract {
        @Override
        ChannelPair.Setup setup() {
            return over(CompletionMode.EVENT).sharing(new SharedReceives(80, 1024, 4096));
        }
    }

    @Test
    @Timeout(value = 180, threadMode = ThreadMode.SAME_THREAD)
    void shouldMoveMoreThanThePortMovesInOneMessage() throws Exception {
        Recorder atLeft = new Recorder();
        Recorder atRight = new Recorder();
        int bytes = 20_000_003;
        try (ChannelPair pair = new ChannelPair(over(CompletionMode.BUSY_POLL), atLeft, atRight)) {
            byte[] contents = Contents.bytes(4, bytes);
            MemorySegment memory = Arena.ofShared().allocate(bytes, 4096);
            pair.right.expose("large", memory, Set.of(RegionRight.WRITE, RegionRight.READ));
            assertThat(pair.left.send(Contents.memory(contents), 0, bytes)).isEqualTo(Submission.ACCEPTED);
            pair.pollUntil("the message is there", () -> atRight.messages.size() == 1 && atLeft.exposed.size() == 1);
            assertThat(atRight.messages.getFirst()).isEqualTo(contents);
            Lease source = pair.left.acquire(bytes);
            MemorySegment.copy(contents, 0, source.segment(), ValueLayout.JAVA_BYTE, 0, bytes);
            RemoteRegion region = atLeft.exposed.getFirst();
            assertThat(pair.left.writeWithImmediate(source, 0, region, 0, bytes, 9, 1))
                    .isEqualTo(Submission.ACCEPTED);
            pair.pollUntil("it was written", () -> atLeft.outcomes.size() == 1 && atRight.immediates.size() == 1);
            assertThat(memory.mismatch(MemorySegment.ofArray(contents))).isEqualTo(-1);
            source.segment().fill((byte) 0);
            assertThat(pair.left.read(region, 0, source, 0, bytes, 2)).isEqualTo(Submission.ACCEPTED);
            pair.pollUntil("it was read", () -> atLeft.outcomes.size() == 2);
            assertThat(source.segment().asSlice(0, bytes).mismatch(memory)).isEqualTo(-1);
            source.release();
        }
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
    void shouldChooseRdmaWhenBothSidesCan() throws Exception {
        ChannelPair.Setup setup = new ChannelPair.Setup(
                InetAddress.getLoopbackAddress(),
                CompletionMode.EVENT,
                config().transport(Transport.AUTO),
                config().transport(Transport.AUTO));
        try (ChannelPair pair = new ChannelPair(setup, new Recorder(), new Recorder())) {
            assertThat(pair.left.transport()).isEqualTo(Transport.RDMA);
            assertThat(pair.right.transport()).isEqualTo(Transport.RDMA);
            assertThat(pair.left.fallbackReason()).isEmpty();
        }
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
    void shouldConnectOverRdmaWithASharedSecretAndCloseInOrder() throws Exception {
        byte[] secret = Contents.bytes(8, 32);
        ChannelPair.Setup setup = new ChannelPair.Setup(
                InetAddress.getLoopbackAddress(),
                CompletionMode.EVENT,
                config().sharedSecret(secret),
                config().sharedSecret(secret));
        try (ChannelPair pair = new ChannelPair(setup, new Recorder(), new Recorder())) {
            assertThat(pair.left.transport()).isEqualTo(Transport.RDMA);
            pair.leftPoller.execute(pair.left::close);
            pair.pollUntil(
                    "both have ended",
                    () -> pair.left.state().isOver() && pair.right.state().isOver());
            assertThat(pair.left.state()).isEqualTo(ChannelState.CLOSED);
            assertThat(pair.right.state()).isEqualTo(ChannelState.CLOSED);
        }
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
    void shouldFallBackToTcpWhenThePeerWantsThat() throws Exception {
        ChannelPair.Setup setup = new ChannelPair.Setup(
                InetAddress.getLoopbackAddress(),
                CompletionMode.EVENT,
                config().transport(Transport.AUTO),
                config().transport(Transport.TCP));
        try (ChannelPair pair = new ChannelPair(setup, new Recorder(), new Recorder())) {
            assertThat(pair.left.transport()).isEqualTo(Transport.TCP);
            assertThat(pair.left.fallbackReason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("the peer"));
            assertThat(pair.right.fallbackReason()).isEmpty();
        }
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
    void shouldServeBothTransportsOnOnePollerThatSleeps() throws Exception {
        Recorder overRdma = new Recorder();
        Recorder overTcp = new Recorder();
        try (ChannelPair pair = new ChannelPair(over(CompletionMode.EVENT), overRdma, new Recorder())) {
            ChannelConfig tcp = ChannelConfig.builder()
                    .transport(Transport.TCP)
                    .poller(pair.leftPoller)
                    .build();
            ChannelConfig accepting = ChannelConfig.builder()
                    .transport(Transport.TCP)
                    .poller(pair.rightPoller)
                    .build();
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (RdmaListener listener = RdmaListener.bind(any, accepting, Recorder::new)) {
                var second = RdmaChannel.connectAsync(listener.address(), tcp, overTcp)
                        .toCompletableFuture();
                pair.pollUntil("the second channel is there", second::isDone);
                MemorySegment memory = Contents.memory(new byte[10]);
                for (int i = 0; i < 20; i++) {
                    int count = i + 1;
                    assertThat(second.get().send(memory, 0, 10, i)).isEqualTo(Submission.ACCEPTED);
                    assertThat(pair.left.send(memory, 0, 10, i)).isEqualTo(Submission.ACCEPTED);
                    pair.pollUntil(
                            "both are told",
                            () -> overRdma.outcomes.size() == count && overTcp.outcomes.size() == count);
                }
            }
        }
    }

    static ChannelPair.Setup over(CompletionMode mode) {
        return new ChannelPair.Setup(InetAddress.getLoopbackAddress(), mode, config(), config());
    }

    static ChannelConfigBuilder config() {
        // Opening the device and registering the pool takes seconds where the processor is emulated.
        return ChannelConfig.builder()
                .transport(Transport.RDMA)
                .ackTimeout(10)
                .connectTimeout(Duration.ofSeconds(90))
                .handshakeTimeout(Duration.ofSeconds(60));
    }
}

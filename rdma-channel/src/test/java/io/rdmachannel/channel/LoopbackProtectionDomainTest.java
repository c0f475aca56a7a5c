// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.mempool.Lease;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Two services on one poller, and a client of one of them that has come by a key of the other one. */
@LoopbackTest
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
class LoopbackProtectionDomainTest extends ContractPair {
    private final Recorder atIntruder = new Recorder();
    private final MemorySegment memory = Arena.ofAuto().allocate(64, 64);
    private RemoteRegion stolen;
    /** The other end of the second channel. */
    private RdmaChannel accepted;

    @Override
    ChannelPair.Setup setup() {
        return new ChannelPair.Setup(
                InetAddress.getLoopbackAddress(),
                CompletionMode.EVENT,
                RdmaChannelCases.config(),
                RdmaChannelCases.config().protectionDomain("orders"));
    }

    @Test
    void shouldRefuseAKeyOfAServiceWithAnotherProtectionDomain() throws Exception {
        RdmaChannel intruder = connectTo("prices");
        Lease source = intruder.acquire(64);
        source.segment().fill((byte) 7);

        assertThat(intruder.write(source, 0, stolen, 0, 64, 1)).isEqualTo(Submission.ACCEPTED);

        pair.pollUntil("the intruder failed", () -> intruder.state() == ChannelState.FAILED);
        assertThat(intruder.failure().orElseThrow().reason()).isEqualTo(ChannelException.Reason.REMOTE_ACCESS);
        assertThat(atIntruder.outcomes).containsEntry(1L, Outcome.REMOTE_ACCESS_ERROR);
        assertThat(memory.mismatch(MemorySegment.ofArray(new byte[64]))).isEqualTo(-1);
        assertThat(pair.left.state()).isEqualTo(ChannelState.CONNECTED);
        source.release();
    }

    /** What the documents warn of, and what shows that the test above can fail. */
    @Test
    void shouldAcceptAKeyOfAServiceWithTheSameProtectionDomain() throws Exception {
        RdmaChannel intruder = connectTo("orders");
        Lease source = intruder.acquire(64);
        source.segment().fill((byte) 7);

        assertThat(intruder.write(source, 0, stolen, 0, 64, 1)).isEqualTo(Submission.ACCEPTED);

        pair.pollUntil("it is written", () -> atIntruder.outcomes.size() == 1);
        assertThat(atIntruder.outcomes).containsEntry(1L, Outcome.SUCCESS);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 63)).isEqualTo((byte) 7);
        source.release();
    }

    @Test
    void shouldServeBothWhileTheySleepAndKeepTheirBuffersApart() throws Exception {
        RdmaChannel other = connectTo("prices");
        MemorySegment message = Contents.memory(new byte[100]);
        for (int i = 0; i < 20; i++) {
            int count = i + 1;
            assertThat(other.send(message, 0, 100, i)).isEqualTo(Submission.ACCEPTED);
            assertThat(pair.left.send(message, 0, 100, i)).isEqualTo(Submission.ACCEPTED);
            pair.pollUntil(
                    "both are told", () -> atIntruder.outcomes.size() == count && atLeft.outcomes.size() == count);
        }
        // The connecting side's poller has one domain, the listening side's has one for each service.
        assertThat(LoopbackFaults.live()).containsEntry("pds", 3);
        Lease ofOrders = pair.right.acquire(10);
        RdmaChannel prices = accepted;
        other.expose("offered", memory, ALL);
        pair.pollUntil(
                "the region is known", () -> prices.remoteRegion("offered").isPresent());
        RemoteRegion offered = prices.remoteRegion("offered").orElseThrow();
        assertThatThrownBy(() -> prices.write(ofOrders, 0, offered, 0, 10, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another pool");
        ofOrders.release();
    }

    /** A channel to a second service of the same pollers; the first one's key is known to it. */
    private RdmaChannel connectTo(String domain) throws Exception {
        pair = open();
        RemoteRegion region = exposeAtRight("region", memory, ALL);
        stolen = new RemoteRegion("stolen", region.addressAt(0), 64, region.key(), ALL);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ChannelConfig accepting = RdmaChannelCases.config()
                .protectionDomain(domain)
                .poller(pair.rightPoller)
                .build();
        ChannelConfig connecting =
                RdmaChannelCases.config().poller(pair.leftPoller).build();
        try (RdmaListener second = RdmaListener.bind(any, accepting, Recorder::new)) {
            var waiting = second.acceptAsync().toCompletableFuture();
            var made = RdmaChannel.connectAsync(second.address(), connecting, atIntruder)
                    .toCompletableFuture();
            pair.pollUntil("the second channel is there", () -> made.isDone() && waiting.isDone());
            accepted = waiting.get();
            return made.get();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.mempool.Lease;
import io.rdmachannel.testing.Deadline;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is counted over TCP, on any machine, and what needs no transport. */
class CountersTcpTest extends CounterCases {
    @Override
    ChannelConfigBuilder over(ChannelConfigBuilder config) {
        return config.transport(Transport.TCP);
    }

    @Test
    void shouldCountAFailedChannelAndTheAtomicOfWhichNobodyKnows() throws Exception {
        pair = open();
        RemoteRegion region = exposeAtRight("region", Arena.ofAuto().allocate(64, 64), ALL);
        Lease memory = lease(64);
        assertThat(pair.left.fetchAndAdd(region, 0, 1, memory, 1)).isEqualTo(Submission.ACCEPTED);
        pair.rightPoller.close();
        pair.pollLeftUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);
        memory.release();

        assertThat(atLeft.outcomes).containsEntry(1L, Outcome.UNKNOWN);
        assertThat(pair.left.counters().value(ChannelCounter.UNKNOWN_OPERATIONS))
                .isEqualTo(1);
        assertThat(pair.leftPoller.counters().value(ChannelCounter.UNKNOWN_OPERATIONS))
                .isEqualTo(1);
        assertThat(pair.leftPoller.counters().value(ChannelCounter.FAILED_CHANNELS))
                .isEqualTo(1);
    }

    @Test
    void shouldCountAFallback() throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        pair = new ChannelPair(
                new ChannelPair.Setup(here, CompletionMode.EVENT, ChannelConfig.builder(), over(right)),
                atLeft,
                atRight);
        assertThat(pair.left.counters().value(ChannelCounter.FALLBACKS)).isEqualTo(1);
        assertThat(pair.right.counters().value(ChannelCounter.FALLBACKS)).isZero();
    }

    @Test
    void shouldCountSleepsOfAPollerThatHasNothingToDo() {
        try (Poller poller = Poller.create(PollerConfig.of("idle").withMode(CompletionMode.EVENT))) {
            poller.poll(Duration.ofMillis(1));
            long sleeps = value(poller, ChannelCounter.SLEEPS);
            assertThat(sleeps).isPositive();
            assertThat(value(poller, ChannelCounter.POLLS)).isGreaterThan(sleeps);
            assertThat(poller.pools()).isEmpty();
        }
    }

    @Test
    void shouldCountAttemptsThatFailAndStrangersThatAreRefused() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Poller poller = Poller.start(PollerConfig.of("counted"))) {
            ChannelConfig config = over(ChannelConfig.builder())
                    .poller(poller)
                    .handshakeTimeout(Duration.ofMillis(200))
                    .connectTimeout(Duration.ofMillis(200))
                    .build();
            RdmaListener listener = RdmaListener.bind(any, config, Recorder::new);
            try (RawPeer browser = new RawPeer(listener.address())) {
                browser.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(browser.refusal()).contains("is no channel");
            }
            Deadline.usual()
                    .await("the refusal is counted", () -> value(poller, ChannelCounter.REFUSED_HANDSHAKES) == 1);
            assertThat(value(poller, ChannelCounter.BEGUN_HANDSHAKES)).isZero();
            listener.close();
            assertThatThrownBy(() -> RdmaChannel.connect(listener.address(), config, new Recorder()))
                    .isInstanceOf(ChannelException.class);
            long attempts = value(poller, ChannelCounter.FAILED_HANDSHAKES);
            assertThat(attempts).isBetween(1L, 20L);
            assertThat(value(poller, ChannelCounter.BEGUN_HANDSHAKES)).isEqualTo(attempts);
        }
    }

    private static long value(Poller poller, ChannelCounter counter) {
        return poller.counters().value(counter);
    }
}

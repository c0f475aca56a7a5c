// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Channels that are made, used once, and closed, thousands of times, over any transport. */
abstract class ConnectCycles {
    private static final int CYCLES = 2_000;
    private static final int WARM_UP = 100;

    abstract Transport transport();

    @Test
    @Timeout(value = 240, threadMode = ThreadMode.SAME_THREAD)
    void shouldHoldNothingMoreAfterTwoThousandConnections() throws Exception {
        PollerConfig poller = PollerConfig.of("cycles").withMode(CompletionMode.ADAPTIVE);
        ChannelConfigBuilder config =
                ChannelConfig.builder().transport(transport()).receiveDepth(16).sendDepth(16);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Poller left = Poller.start(poller);
                Poller right = Poller.start(poller);
                RdmaListener listener =
                        RdmaListener.bind(any, config.poller(right).build(), Recorder::new)) {
            Usage before = null;
            for (int cycle = 0; cycle < WARM_UP + CYCLES; cycle++) {
                before = cycle == WARM_UP ? Usage.now() : before;
                RdmaChannel channel = RdmaChannel.connect(
                        listener.address(), config.poller(left).build(), new Recorder());
                RdmaChannel peer = listener.accept(Duration.ofSeconds(10));
                assertThat(channel.transport()).isEqualTo(transport());
                channel.sendAsync(Contents.memory(new byte[8]))
                        .toCompletableFuture()
                        .get();
                channel.close();
                peer.close();
                assertThat(peer.failure()).isEmpty();
            }
            Usage.now().requireNotMuchMoreThan(before);
            assertThat(left.channelCount() + right.channelCount()).isZero();
        }
    }
}

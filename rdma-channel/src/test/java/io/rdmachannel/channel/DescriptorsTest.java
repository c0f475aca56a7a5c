// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.Deadline;
import java.io.File;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sockets that are closed go at once, also when their poller never sleeps. */
class DescriptorsTest {
    private static final int CHANNELS = 100;
    private static final int OTHERS = 20;

    @ParameterizedTest
    @EnumSource(CompletionMode.class)
    void shouldLeaveNoOpenFileBehindAClosedChannel(CompletionMode mode) throws Exception {
        ChannelPair.Setup setup = new ChannelPair.Setup(
                InetAddress.getLoopbackAddress(),
                mode,
                ChannelConfig.builder().transport(Transport.TCP),
                ChannelConfig.builder().transport(Transport.TCP).acceptBacklog(CHANNELS));
        try (ChannelPair pair = new ChannelPair(setup, new Recorder(), new Recorder())) {
            int before = openFiles();
            for (int i = 0; i < CHANNELS; i++) {
                CompletableFuture<RdmaChannel> other = RdmaChannel.connectAsync(
                                pair.listener.address(),
                                setup.left().poller(pair.leftPoller).build(),
                                new Recorder())
                        .toCompletableFuture();
                pair.pollUntil("it is connected", () -> other.isDone() && pair.rightPoller.channelCount() == 2);
                pair.leftPoller.execute(other.get()::close);
                pair.pollUntil("it is closed", () -> pair.rightPoller.channelCount() == 1);
            }
            Deadline.usual().await("as few open files as before", () -> {
                pair.poll();
                return openFiles() < before + OTHERS;
            });
            assertThat(pair.left.state()).isEqualTo(ChannelState.CONNECTED);
        }
    }

    private static int openFiles() {
        return new File("/proc/self/fd").list().length;
    }
}

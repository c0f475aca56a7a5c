// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.rdma.LabDevice;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Child processes while memory is registered and a device reads and writes it: the kernel must not give the child the
 * pages that the device has. More of them by the property {@code channel.lab.children}.
 */
@Tag("rdma")
@Timeout(value = 900, threadMode = ThreadMode.SAME_THREAD)
class RdmaChildProcessesIT {
    private static final int CHILDREN = Integer.getInteger("channel.lab.children", 20);

    @Test
    void shouldKeepWhatIsTransferredWholeWhileChildProcessesAreStartedTrouble10() throws Exception {
        LabDevice.require();
        long seed = System.nanoTime();
        MixedEnd atLeft = new MixedEnd(seed);
        MixedEnd atRight = new MixedEnd(seed + 1);
        try (ChannelPair pair = new ChannelPair(RdmaChannelCases.over(CompletionMode.ADAPTIVE), atLeft, atRight)) {
            atLeft.begin(pair.left);
            atRight.begin(pair.right);
            pair.pollUntil("the regions are known", () -> atLeft.isReady() && atRight.isReady());
            CompletableFuture<Void> children = CompletableFuture.runAsync(RdmaChildProcessesIT::startChildren);
            while (!children.isDone()) {
                atLeft.step();
                atRight.step();
                pair.poll();
            }
            children.get();
            pair.pollUntil(
                    "all has arrived, seed " + seed,
                    () -> atLeft.isIdle()
                            && atRight.isIdle()
                            && atLeft.received() == atRight.sent()
                            && atRight.received() == atLeft.sent());
            assertThat(pair.left.transport()).isEqualTo(Transport.RDMA);
        }
    }

    private static void startChildren() {
        try {
            for (int i = 0; i < CHILDREN; i++) {
                assertThat(new ProcessBuilder("true").start().waitFor()).isZero();
            }
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }
}

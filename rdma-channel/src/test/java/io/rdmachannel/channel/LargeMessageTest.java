// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A message that no 32-bit length can express. */
@Timeout(value = 300, threadMode = ThreadMode.SAME_THREAD)
class LargeMessageTest {
    private static final long BYTES = (1L << 31) + 1;
    private static final long NEEDED = 12L << 30;

    private static long availableMemory() throws Exception {
        Path file = Path.of("/proc/meminfo");
        if (!Files.exists(file)) {
            return 0;
        }
        String line = Files.readAllLines(file).stream()
                .filter(text -> text.startsWith("MemAvailable:"))
                .findFirst()
                .orElse("0");
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
    }

    @Test
    void shouldSendAMessageAboveTwoGibibytesInOrder() throws Exception {
        assumeTrue(availableMemory() > NEEDED, "expected: less than 12 GiB of memory are available");
        assumeTrue(Runtime.getRuntime().maxMemory() > 5L << 30, "expected: less than 5 GiB of direct memory");
        long[] lengths = new long[2];
        long[] sums = new long[1];
        int[] count = new int[1];
        Recorder measuring = new Recorder() {
            @Override
            public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
                lengths[count[0]++] = length;
                sums[0] += length == BYTES ? Contents.checksum(buffer, offset, length) : 0;
            }
        };
        ChannelConfigBuilder config =
                ChannelConfig.builder().transport(Transport.TCP).maxMessageBytes(1L << 32);
        ChannelPair.Setup setup = new ChannelPair.Setup(
                InetAddress.getLoopbackAddress(), CompletionMode.BUSY_POLL, config, config, 3L << 30, null);
        try (ChannelPair pair = new ChannelPair(setup, new Recorder(), measuring)) {
            OutgoingMessage message = pair.left.claim(BYTES);
            MemorySegment bytes = message.segment();
            for (long at = 0; at < BYTES - 8; at += 4096) {
                bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, at, at * 31);
            }
            bytes.set(ValueLayout.JAVA_BYTE, BYTES - 1, (byte) 77);
            long sum = Contents.checksum(bytes, 0, BYTES);
            assertThat(message.commit(BYTES)).isEqualTo(Submission.ACCEPTED);
            assertThat(pair.left.send(MemorySegment.ofArray(new byte[3]), 0, 3)).isEqualTo(Submission.ACCEPTED);
            pair.pollUntil("both are there", () -> count[0] == 2, Duration.ofSeconds(200));
            assertThat(lengths).containsExactly(BYTES, 3);
            assertThat(sums[0]).isEqualTo(sum);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.core.LoggedLines;
import io.rdmachannel.testing.LoopbackTest;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** What a channel over RDMA writes into the log, on the stand-in for the verbs library. */
@LoopbackTest
class LoopbackLogTest extends ContractPair {
    private static final String LINE = ".* poller (left|right) connected with .* by TCP_EXCHANGE over RDMA on loopback0"
            + " port 1 GID [0-9]+ \\(.*\\), queue pair [0-9]+; session [0-9a-f]{8}";

    @Override
    ChannelPair.Setup setup() {
        return RdmaChannelCases.over(CompletionMode.EVENT);
    }

    @Test
    void shouldTellDevicePortAndGidOnceForEachSideAndNothingOfMessages() throws Exception {
        try (LoggedLines lines = new LoggedLines()) {
            pair = open();
            for (int i = 0; i < 20; i++) {
                send(pair.left, Arena.ofAuto().allocate(100 + 1000 * i));
            }
            pair.pollUntil("all are there", () -> atRight.messages.size() == 20);
            closeBoth();
            assertThat(lines.of("INFO")).hasSize(2).allMatch(line -> line.matches(LINE));
            assertThat(lines.of("WARN")).isEmpty();
            assertThat(lines.of("ERROR")).isEmpty();
        }
    }
}

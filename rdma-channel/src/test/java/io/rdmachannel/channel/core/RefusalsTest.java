// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.ChannelCounter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private final LoopCounters counters = new LoopCounters();
    private long now = Long.MAX_VALUE - 5;
    private final Refusals refusals = new Refusals("a listener", counters, () -> now);

    @Test
    void shouldWarnOfOneInASecondAndCountAll() {
        try (LoggedLines lines = new LoggedLines()) {
            for (int i = 0; i < 100; i++) {
                refusals.tell("peer " + i, "no");
                now += 1000;
            }
            assertThat(lines.of("WARN")).hasSize(1);
            assertThat(lines.of("WARN").getFirst()).endsWith("a listener refuses peer 0: no");
            now += TimeUnit.SECONDS.toNanos(1);
            refusals.tell("peer 100", "no");
            assertThat(lines.of("WARN")).hasSize(2);
            assertThat(lines.of("WARN").getLast())
                    .endsWith("a listener refuses peer 100: no; and 99 others since the last such line");
        }
        assertThat(counters.value(ChannelCounter.REFUSED_HANDSHAKES)).isEqualTo(101);
    }

    @Test
    void shouldTellEachErrorOfThisSide() {
        try (LoggedLines lines = new LoggedLines()) {
            refusals.failed("peer", new IllegalStateException("broken"));
            refusals.failed("peer", new IllegalStateException("broken"));
            assertThat(lines.of("ERROR")).hasSize(2);
        }
        assertThat(counters.value(ChannelCounter.REFUSED_HANDSHAKES)).isEqualTo(2);
    }
}

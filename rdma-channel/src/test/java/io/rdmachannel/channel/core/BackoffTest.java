// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void shouldDoubleUpToALimitAndNeverPauseLessThanHalf() {
        Backoff backoff = new Backoff(new SplittableRandom(1));
        long ceiling = Duration.ofMillis(20).toNanos();
        for (int i = 0; i < 20; i++) {
            long pause = backoff.next().toNanos();
            assertThat(pause).isBetween(ceiling / 2, ceiling);
            ceiling = Math.min(Duration.ofSeconds(2).toNanos(), ceiling * 2);
        }
    }

    @Test
    void shouldKeepTwoWhoBeganTogetherApart() {
        Backoff one = new Backoff(new SplittableRandom(1));
        Backoff other = new Backoff(new SplittableRandom(2));
        assertThat(one.next()).isNotEqualTo(other.next());
    }
}

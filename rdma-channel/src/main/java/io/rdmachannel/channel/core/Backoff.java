// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses between attempts: each about twice as long as the one before, and none the same for two who began together.
 */
final class Backoff {
    private static final long FIRST_NANOS = Duration.ofMillis(20).toNanos();
    private static final long LONGEST_NANOS = Duration.ofSeconds(2).toNanos();

    private final RandomGenerator random;
    private long ceiling = FIRST_NANOS;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** Sleeps for the next pause; says whether it was not interrupted. */
    static boolean slept(Duration pause) {
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException cancelled) {
            return false;
        }
    }

    /** The next pause: between a half and the whole of what doubling gives. */
    Duration next() {
        long half = ceiling / 2;
        Duration pause = Duration.ofNanos(half + random.nextLong(half + 1));
        ceiling = Math.min(LONGEST_NANOS, ceiling * 2);
        return pause;
    }
}

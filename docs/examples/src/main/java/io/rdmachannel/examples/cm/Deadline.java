// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import java.time.Duration;

/** A point in time until which something must have happened. */
final class Deadline {
    private final long endNanos;

    private Deadline(long endNanos) {
        this.endNanos = endNanos;
    }

    static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    long remainingNanos() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    boolean isOver() {
        return remainingNanos() == 0;
    }
}

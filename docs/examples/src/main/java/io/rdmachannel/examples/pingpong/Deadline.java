// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The end of a wait, fixed when the wait begins. */
final class Deadline {
    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    static Deadline after(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    boolean isOver() {
        return System.nanoTime() - end >= 0;
    }

    /** At least 1, since sockets take 0 for no limit. */
    int millis() {
        return Math.clamp(TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()), 1, Integer.MAX_VALUE);
    }
}

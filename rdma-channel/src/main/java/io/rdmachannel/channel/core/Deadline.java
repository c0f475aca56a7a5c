// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A time until which something must be done. */
final class Deadline {
    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    static Deadline after(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    Duration left() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    boolean isOver() {
        return end - System.nanoTime() <= 0;
    }

    /** At least 1, since 0 means for ever to sockets. */
    int millisLeft() {
        return Math.clamp(TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()), 1, Integer.MAX_VALUE);
    }

    /** The earlier one. */
    Deadline orAfter(Duration time) {
        return new Deadline(Math.min(end - System.nanoTime(), time.toNanos()) + System.nanoTime());
    }
}

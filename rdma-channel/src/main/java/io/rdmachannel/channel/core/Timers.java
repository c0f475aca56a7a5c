// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/** All deadlines of an event loop, driven by a clock that a test can set. One thread. */
final class Timers {
    private final PriorityQueue<Timer> waiting =
            new PriorityQueue<>((left, right) -> Long.signum(left.due - right.due));
    private final LongSupplier clock;

    Timers(LongSupplier clock) {
        this.clock = clock;
    }

    long now() {
        return clock.getAsLong();
    }

    /** Has something done later. */
    Timer schedule(long nanos, Runnable action) {
        Timer timer = new Timer(clock.getAsLong() + nanos, action);
        waiting.add(timer);
        return timer;
    }

    /** How long until the next one; not more than a limit. */
    long untilNext(long limit) {
        Timer next = waiting.peek();
        return next == null ? limit : Math.clamp(next.due - clock.getAsLong(), 0, limit);
    }

    /** Does what is due; returns how many there were. */
    int expire() {
        int expired = 0;
        Timer next = waiting.peek();
        while (next != null && next.due - clock.getAsLong() <= 0) {
            waiting.poll();
            if (next.action != null) {
                next.action.run();
                expired++;
            }
            next = waiting.peek();
        }
        return expired;
    }

    /** One deadline. */
    static final class Timer {
        private final long due;
        private Runnable action;

        private Timer(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        /** Nothing is done when it is due. */
        void cancel() {
            action = null;
        }
    }
}

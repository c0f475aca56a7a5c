// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.support;

import io.rdmachannel.channel.Poller;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits of a thread that drives its poller itself: it polls in them, with a limit. */
public final class Wait {
    private static final Duration TURN = Duration.ofMillis(10);

    private Wait() {}

    /**
     * Polls until something is true.
     *
     * @param poller a poller of this thread's
     * @param limit how long at most
     * @param what for the message
     * @param condition what is waited for
     * @throws ExampleException at the limit, and when interrupted
     */
    public static void until(Poller poller, Duration limit, String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            poller.poll(TURN);
            if (Thread.currentThread().isInterrupted()) {
                throw new ExampleException("interrupted before " + what);
            }
            if (System.nanoTime() - begin > limit.toNanos()) {
                throw new ExampleException("not within " + limit.toSeconds() + " s: " + what);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Outcome;
import java.util.ArrayDeque;

/** Requests from any thread that wait for room, in their order. The event loop's thread only. */
final class AsyncQueue {
    private final ArrayDeque<AsyncRequest<?>> waiting = new ArrayDeque<>();

    void add(AsyncRequest<?> request) {
        waiting.add(request);
        proceed();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Begins what there is room for; says whether some still wait. */
    boolean proceed() {
        while (!waiting.isEmpty()) {
            // Whoever is told of its end may end the channel, and with it all that waits.
            AsyncRequest<?> next = waiting.remove();
            if (next.waits()) {
                waiting.addFirst(next);
                return true;
            }
        }
        return false;
    }

    /** Ends all. */
    void cancel() {
        while (!waiting.isEmpty()) {
            waiting.remove().ended(0, Outcome.CANCELLED);
        }
    }
}

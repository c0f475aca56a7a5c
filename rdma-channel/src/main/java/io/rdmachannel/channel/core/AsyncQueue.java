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
            if (waiting.peek().waits()) {
                return true;
            }
            waiting.remove();
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

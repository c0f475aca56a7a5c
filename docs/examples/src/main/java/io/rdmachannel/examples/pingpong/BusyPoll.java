// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.WorkCompletions;

/** Asks again and again: the shortest latency, for one processor. Allocates nothing. */
final class BusyPoll implements CompletionWait {
    /** Looking at the clock costs as much as an empty poll, so not each time. */
    private static final int POLLS_PER_CLOCK = 256;

    private final CompletionQueue queue;
    private final WorkCompletions completions;

    BusyPoll(CompletionQueue queue, WorkCompletions completions) {
        this.queue = queue;
        this.completions = completions;
    }

    @Override
    public int await(long limitNanos) {
        long start = System.nanoTime();
        while (true) {
            for (int i = 0; i < POLLS_PER_CLOCK; i++) {
                int count = queue.poll(completions);
                if (count != 0) {
                    return requireCount(count);
                }
                Thread.onSpinWait();
            }
            if (System.nanoTime() - start >= limitNanos) {
                return 0;
            }
            // Where processors are fewer than pollers, the other side may be waiting for this one.
            Thread.yield();
        }
    }

    static int requireCount(int count) {
        if (count < 0) {
            throw new PingPongException("polling the completion queue failed with " + count);
        }
        return count;
    }
}

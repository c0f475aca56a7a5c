// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import io.rdmachannel.verbs.CompletionChannel;
import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.WorkCompletions;
import java.util.concurrent.TimeUnit;

/**
 * Sleeps until completions are announced. An announcement has been asked for before each sleep, and the queue has been
 * polled in between: what completed before the asking is not announced.
 */
final class EventSleep implements CompletionWait {
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final WorkCompletions completions;

    EventSleep(CompletionChannel channel, CompletionQueue queue, WorkCompletions completions) {
        this.channel = channel;
        this.queue = queue;
        this.completions = completions;
        queue.requestNotification(false);
    }

    @Override
    public int await(long limitNanos) {
        long start = System.nanoTime();
        int count = queue.poll(completions);
        while (count == 0) {
            long remaining = limitNanos - (System.nanoTime() - start);
            if (remaining <= 0) {
                return 0;
            }
            if (channel.await(remaining, TimeUnit.NANOSECONDS) != null) {
                queue.requestNotification(false);
            }
            count = queue.poll(completions);
        }
        return BusyPoll.requireCount(count);
    }
}

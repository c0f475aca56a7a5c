// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.ChannelCounters;
import io.rdmachannel.channel.Submission;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counts of one channel, or of a poller itself. A count is a plain addition by the one thread that counts it, which
 * is the event loop's; what several threads count goes by {@link #addFromAnyThread}, and only by it. Any thread reads.
 */
final class Counters implements ChannelCounters {
    /** Keeps what other threads write out of the cache lines of the counts, and of those fetched with them. */
    private static final int PADDING = 16;

    private static final int COUNT = ChannelCounter.values().length;
    private static final VarHandle VALUES = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values = new long[PADDING + COUNT + PADDING];
    /** What a poller's sum has of these already; guarded by that sum. */
    private long[] settled;

    @Override
    public long value(ChannelCounter counter) {
        return (long) VALUES.getOpaque(values, index(counter));
    }

    /** Counts one. The event loop's thread. */
    void count(ChannelCounter counter) {
        add(counter, 1);
    }

    /** Counts some, 0 or more. The event loop's thread. */
    void add(ChannelCounter counter, long number) {
        int index = index(counter);
        VALUES.setOpaque(values, index, values[index] + number);
    }

    /** Counts some, 0 or more; for counters that are never counted in another way. */
    void addFromAnyThread(ChannelCounter counter, long number) {
        VALUES.getAndAdd(values, index(counter), number);
    }

    /** Counts a message of this side. */
    void sent(long bytes, boolean announced) {
        count(ChannelCounter.SENT_MESSAGES);
        add(ChannelCounter.SENT_BYTES, bytes);
        if (announced) {
            count(ChannelCounter.ANNOUNCED_MESSAGES);
        }
    }

    /** Counts a message of the peer. */
    void received(long bytes, boolean fetched) {
        count(ChannelCounter.RECEIVED_MESSAGES);
        add(ChannelCounter.RECEIVED_BYTES, bytes);
        if (fetched) {
            count(ChannelCounter.FETCHED_MESSAGES);
        }
    }

    /** Counts an answer that makes its user try again; others are not counted. */
    void answered(Submission answer) {
        switch (answer) {
            case NO_CREDIT -> count(ChannelCounter.NO_CREDIT_ANSWERS);
            case QUEUE_FULL -> count(ChannelCounter.QUEUE_FULL_ANSWERS);
            case POOL_EXHAUSTED -> count(ChannelCounter.POOL_EXHAUSTED_ANSWERS);
            default -> {}
        }
    }

    /** Adds to a sum what it has not been given before; under the sum's lock. */
    void settle(Counters sum) {
        long[] before = settled == null ? new long[values.length] : settled;
        settled = new long[values.length];
        for (ChannelCounter counter : ChannelCounter.values()) {
            int index = index(counter);
            settled[index] = value(counter);
            sum.addFromAnyThread(counter, settled[index] - before[index]);
        }
    }

    private static int index(ChannelCounter counter) {
        return PADDING + counter.ordinal();
    }
}

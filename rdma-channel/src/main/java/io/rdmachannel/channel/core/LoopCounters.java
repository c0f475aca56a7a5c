// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.ChannelCounters;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The counts of an event loop: its own, those of its channels, and those of channels that it had. Any thread. */
final class LoopCounters implements ChannelCounters {
    private final Counters own = new Counters();
    private final Counters ended = new Counters();
    private final Set<Counters> channels = new LinkedHashSet<>();

    /** What the loop itself counts. */
    Counters own() {
        return own;
    }

    /** Counts one that only pollers count, and only by this. */
    void happened(ChannelCounter counter) {
        own.addFromAnyThread(counter, 1);
    }

    /** A channel begins. */
    synchronized void add(Counters channel) {
        channels.add(channel);
    }

    /** A channel has ended, or has counted something after its end. */
    synchronized void remove(Counters channel) {
        channels.remove(channel);
        channel.settle(ended);
    }

    @Override
    public synchronized long value(ChannelCounter counter) {
        long sum = own.value(counter) + ended.value(counter);
        if (!counter.isOfPoller()) {
            for (Counters channel : channels) {
                sum += channel.value(counter);
            }
        }
        return sum;
    }

    /** Under one lock, so that a channel that ends meanwhile is in all counts or in none in the same way. */
    @Override
    public synchronized Map<ChannelCounter, Long> snapshot() {
        return ChannelCounters.super.snapshot();
    }
}

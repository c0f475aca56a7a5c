// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs whom a listener refuses. Strangers decide how many those are, so at most one a second is a warning,
 * and the rest is for whoever looks closer. Any thread.
 */
final class Refusals {
    private static final Logger LOGGER = LoggerFactory.getLogger(Listener.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Object listener;
    private final LoopCounters counters;
    private final LongSupplier clock;
    private long lastNanos;
    private long untold;

    Refusals(Object listener, LoopCounters counters, LongSupplier clock) {
        this.listener = listener;
        this.counters = counters;
        this.clock = clock;
        this.lastNanos = clock.getAsLong() - PAUSE_NANOS;
    }

    /** Somebody was refused. */
    void tell(Object peer, String sentence) {
        counters.happened(ChannelCounter.REFUSED_HANDSHAKES);
        long before = takeTurn();
        if (before < 0) {
            LOGGER.debug("{} refuses {}: {}", listener, peer, sentence);
        } else if (before == 0) {
            LOGGER.warn("{} refuses {}: {}", listener, peer, sentence);
        } else {
            LOGGER.warn("{} refuses {}: {}; and {} others since the last such line", listener, peer, sentence, before);
        }
    }

    /** Somebody was refused for an error of this side's. */
    void failed(Object peer, Throwable unexpected) {
        counters.happened(ChannelCounter.REFUSED_HANDSHAKES);
        LOGGER.error("{}: the handshake with {} failed", listener, peer, unexpected);
    }

    /** Says how many were not warned of since the last warning; negative when it is too early for another one. */
    private synchronized long takeTurn() {
        long now = clock.getAsLong();
        if (now - lastNanos < PAUSE_NANOS) {
            untold++;
            return -1;
        }
        long before = untold;
        untold = 0;
        lastNanos = now;
        return before;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a channel, for threads that wait until its event loop has come to it. */
final class EndOfLife {
    private static final Logger LOGGER = LoggerFactory.getLogger(ChannelLife.class);

    private final ChannelCore channel;
    private final CountDownLatch over = new CountDownLatch(1);

    EndOfLife(ChannelCore channel) {
        this.channel = channel;
    }

    /** It is over. */
    void hasCome() {
        over.countDown();
    }

    /** Waits, not longer than the channel lingers and some time more. */
    void await(Duration more) {
        long nanos = channel.config().lingerTimeout().plus(more).toNanos();
        try {
            if (!over.await(nanos, TimeUnit.NANOSECONDS)) {
                LOGGER.warn("{}: its poller has not closed it yet; does anybody poll?", channel);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

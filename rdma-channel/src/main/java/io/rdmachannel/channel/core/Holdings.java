// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.Outcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a channel holds, and how it lets go: the link first, then all that the link used. The loop's thread only. */
final class Holdings {
    private static final Logger LOGGER = LoggerFactory.getLogger(Holdings.class);

    private final ChannelCore channel;

    Holdings(ChannelCore channel) {
        this.channel = channel;
    }

    /**
     * Closes the link; the peer cannot reach anything of this side any more.
     *
     * @param forGood whether no other link will come
     * @return null, or why the device may still use the channel's buffers
     */
    RuntimeException closeLink(boolean forGood) {
        try {
            if (forGood) {
                channel.regions().close();
            } else {
                channel.regions().suspend();
            }
            if (channel.link() != null) {
                channel.link().close();
            }
            return null;
        } catch (RuntimeException refused) {
            LOGGER.error("{}: its buffers stay out, since the device may still use them", channel, refused);
            return refused;
        }
    }

    void countFlushed() {
        if (channel.link() != null) {
            channel.counters()
                    .add(ChannelCounter.FLUSHED_COMPLETIONS, channel.link().flushed());
        }
    }

    /**
     * Gives everything back; the link is closed.
     *
     * @param culprit the post that failed, or 0
     * @param outcome how the operation ended that it belongs to
     */
    void giveBack(long culprit, Outcome outcome) {
        channel.claimed().abort();
        channel.incoming().cancel();
        while (!channel.oneSided().isEmpty()) {
            guardedEnd(() -> channel.oneSided().cancel(culprit, outcome));
        }
        while (!channel.outgoing().isEmpty()) {
            guardedEnd(() -> channel.outgoing().cancel());
        }
        channel.outgoing().cancel();
        channel.asyncQueue().cancel();
        // Without a link they were closed with the last one.
        if (channel.link() != null) {
            channel.setup().receives().close();
        }
    }

    private void guardedEnd(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException thrown) {
            LOGGER.error("{}: the handler threw an exception out of onCompletion", channel, thrown);
        }
    }
}

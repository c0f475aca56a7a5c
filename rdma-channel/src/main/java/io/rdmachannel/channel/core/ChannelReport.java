// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.events.FallbackEvent;
import io.rdmachannel.channel.events.StateChangeEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the log, the counters and the Flight Recorder what becomes of a channel. The event loop's thread only. */
final class ChannelReport {
    private static final Logger LOGGER = LoggerFactory.getLogger(ChannelReport.class);

    private ChannelReport() {}

    /** The channel works now; before anybody is told. */
    static void begun(ChannelCore channel, ChannelSetup setup) {
        String session = setup.control().session();
        setup.loop().counters().own().count(ChannelCounter.OPENED_CHANNELS);
        LOGGER.info(
                "{} connected with {} by {} over {}; session {}",
                setup.loop(),
                setup.control().peer(),
                setup.config().connectionMethod(),
                channel.link().path(),
                session);
        setup.fallbackReason().ifPresent(reason -> {
            channel.counters().count(ChannelCounter.FALLBACKS);
            FallbackEvent.emit(channel, session, reason);
            LOGGER.info("session {} goes over TCP, and not over RDMA: {}", session, reason);
        });
    }

    /** The channel has moved from one state to another. */
    static void moved(ChannelCore channel, ChannelSetup setup, ChannelState before, ChannelState now) {
        if (now == ChannelState.FAILED) {
            setup.loop().counters().own().count(ChannelCounter.FAILED_CHANNELS);
        }
        StateChangeEvent.emit(channel, setup.control().session(), before, now);
        LOGGER.debug("{} after {}", channel, before);
    }
}

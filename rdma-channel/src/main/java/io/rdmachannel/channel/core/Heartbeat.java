// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import java.time.Duration;

/**
 * How the two sides of a control connection show that they live.
 *
 * @param interval between two heartbeats of this side; zero for none
 * @param tolerance how long nothing may be heard of the peer; zero for ever
 */
record Heartbeat(Duration interval, Duration tolerance) {
    /** Nothing is sent and nothing is expected. */
    static final Heartbeat NONE = new Heartbeat(Duration.ZERO, Duration.ZERO);

    private static final int INTERVALS_MIN = 3;
    private static final Duration SHORTEST = Duration.ofMillis(10);

    static void describe(ChannelConfig config, Fields message) {
        message.put(
                Tag.HEARTBEAT_INTERVAL, 4, Math.min(config.heartbeatInterval().toMillis(), Integer.MAX_VALUE));
    }

    /** The shorter interval counts; a side that wants none, or knows of none, has none. */
    static Heartbeat between(ChannelConfig config, Fields peer) {
        long own = config.heartbeatInterval().toMillis();
        long other =
                peer.has(Tag.HEARTBEAT_INTERVAL) ? peer.number(Tag.HEARTBEAT_INTERVAL, 4, 0, Integer.MAX_VALUE) : 0;
        if (own == 0 || other == 0) {
            return NONE;
        }
        long interval = Math.max(Math.min(own, other), SHORTEST.toMillis());
        long tolerance = config.heartbeatTolerance().toMillis();
        return new Heartbeat(
                Duration.ofMillis(interval),
                Duration.ofMillis(tolerance == 0 ? 0 : Math.max(tolerance, interval * INTERVALS_MIN)));
    }
}

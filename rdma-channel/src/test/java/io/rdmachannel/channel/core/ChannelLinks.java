// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.RdmaChannel;

/** The way to what is below a channel, for tests that break it there. */
public final class ChannelLinks {
    private ChannelLinks() {}

    /** The present link of a channel; in its poller's thread. */
    public static Link of(RdmaChannel channel) {
        return ((ChannelCore) channel).link();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.Transport;
import java.util.Optional;

/**
 * What both sides of a handshake have and do.
 *
 * @param loop the channel's event loop
 * @param config how it is asked for
 * @param handler who is told
 * @param control what connects the sides beside the data path
 * @param deadline until when it must have ended
 */
record HandshakeParts(
        EventLoop loop, ChannelConfig config, ChannelHandler handler, Control control, Deadline deadline) {
    /**
     * Sets the receive buffers aside.
     *
     * @throws io.rdmachannel.channel.ChannelException if the pool is too small
     */
    Receives receives(LinkSource source, Conversation values) {
        return loop.sources().planOf(source).admit("receives of " + control.peer(), config, values);
    }

    /** Hands the link over to the loop's thread, and makes the channel that only has to begin. */
    ChannelCore core(
            Conversation values, Transport transport, Optional<String> reason, PendingLink link, Receives receives) {
        link.handOver(loop.owner());
        return new ChannelCore(
                new ChannelSetup(loop, config, handler, values, control, transport, reason, link, receives));
    }
}

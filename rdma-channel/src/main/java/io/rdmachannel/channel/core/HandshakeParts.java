// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import java.util.Optional;

/**
 * What both sides of a handshake have and do.
 *
 * @param loop the channel's event loop
 * @param config how it is asked for
 * @param handler who is told
 * @param control what connects the sides beside the data path
 * @param deadline until when it must have ended
 * @param memory whose memory the channel goes on with; empty for that of its transport
 */
record HandshakeParts(
        EventLoop loop,
        ChannelConfig config,
        ChannelHandler handler,
        Control control,
        Deadline deadline,
        Optional<LinkSource> memory) {
    HandshakeParts(EventLoop loop, ChannelConfig config, ChannelHandler handler, Control control, Deadline deadline) {
        this(loop, config, handler, control, deadline, Optional.empty());
    }

    /**
     * Sets the receive buffers aside.
     *
     * @throws io.rdmachannel.channel.ChannelException if the pool is too small
     */
    Receives receives(LinkSource source, Conversation values) {
        // A device knows only its own memory, and what is kept over TCP may have to go by the device later.
        LinkSource owner = memory.filter(any -> any.commonReceives() == null && source.commonReceives() == null)
                .orElse(source);
        return loop.sources().planOf(owner).admit("receives of " + control.peer(), config, values);
    }

    /** Hands the link over to the loop's thread: what a channel only has to begin with. */
    ChannelSetup setup(Agreement agreement, Optional<String> reason, PendingLink link, Receives receives) {
        link.handOver(loop.owner());
        return new ChannelSetup(
                loop,
                config,
                handler,
                agreement.values(),
                control,
                agreement.transport(),
                reason,
                link,
                receives,
                agreement.resumable());
    }
}

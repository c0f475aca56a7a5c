// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.Transport;
import java.util.Optional;

/**
 * What a handshake ends with, and a channel begins with.
 *
 * @param loop the channel's event loop
 * @param config how it was asked for
 * @param handler who is told
 * @param values what both sides go by
 * @param control what connects the sides beside the data path
 * @param transport what was agreed on
 * @param fallbackReason why it is TCP although RDMA was allowed
 * @param link connected, and handed over to the loop
 * @param receives supplied to the link
 * @param resumable how it is connected anew; empty when it is not
 */
record ChannelSetup(
        EventLoop loop,
        ChannelConfig config,
        ChannelHandler handler,
        Conversation values,
        Control control,
        Transport transport,
        Optional<String> fallbackReason,
        PendingLink link,
        Receives receives,
        Optional<Resumable> resumable) {
    /** Gives back what the handshake made, when nothing begins with it; in the event loop's thread. */
    void undo() {
        link.abandon();
        receives.close();
        control.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.RdmaChannel;
import java.util.concurrent.CompletableFuture;

/** Brings channels from their handshakes into their event loops. */
final class Openings {
    private Openings() {}

    /** Lets a channel begin in its loop's thread, and gives it to whoever waits; closed at once when nobody does. */
    static void open(EventLoop loop, ChannelCore core, CompletableFuture<RdmaChannel> result) {
        if (!loop.executeUnlessClosed(() -> begin(core, result))) {
            core.control().close();
            result.completeExceptionally(new ChannelException(
                    Reason.CLOSED, loop + " was closed while a channel of it was being connected"));
        }
    }

    private static void begin(ChannelCore core, CompletableFuture<RdmaChannel> result) {
        try {
            core.begin();
        } catch (RuntimeException failed) {
            core.undo();
            result.completeExceptionally(
                    failed instanceof ChannelException known
                            ? known
                            : new ChannelException(Reason.TRANSPORT, "the channel could not begin: " + failed, failed));
            return;
        }
        if (!result.complete(core)) {
            core.close();
        }
    }
}

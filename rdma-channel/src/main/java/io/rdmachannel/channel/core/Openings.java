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
        boolean taken = loop.executeUnlessClosed(() -> {
            core.begin();
            if (!result.complete(core)) {
                core.close();
            }
        });
        if (!taken) {
            result.completeExceptionally(new ChannelException(
                    Reason.CLOSED, loop + " was closed while a channel of it was being connected"));
        }
    }
}

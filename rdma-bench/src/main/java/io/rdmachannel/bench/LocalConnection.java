// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelConfigBuilder;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.Transport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A channel whose two ends belong to two pollers of one thread.
 *
 * @param connected the connecting end
 * @param accepted the accepting end
 */
public record LocalConnection(RdmaChannel connected, RdmaChannel accepted) {
    /** How long a loaded or emulated machine may take. */
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /**
     * Connects, by polling both pollers.
     *
     * @param listener on a poller of this thread
     * @param config with another poller of this thread
     * @param handler of the connecting end
     * @return both ends
     */
    public static LocalConnection to(RdmaListener listener, ChannelConfig config, ChannelHandler handler) {
        CompletableFuture<RdmaChannel> accepted = listener.acceptAsync().toCompletableFuture();
        CompletableFuture<RdmaChannel> connected =
                RdmaChannel.connectAsync(listener.address(), config, handler).toCompletableFuture();
        Poller poller = config.poller().orElseThrow();
        while (!connected.isDone() || !connected.isCompletedExceptionally() && !accepted.isDone()) {
            poller.poll();
            listener.poller().poll();
        }
        return new LocalConnection(connected.join(), accepted.join());
    }

    /**
     * A configuration with patient deadlines.
     *
     * @param transport how the bytes travel
     * @param poller whose thread the channel belongs to
     * @return a builder
     */
    public static ChannelConfigBuilder config(Transport transport, Poller poller) {
        return ChannelConfig.builder()
                .transport(transport)
                .poller(poller)
                .connectTimeout(LIMIT)
                .handshakeTimeout(LIMIT);
    }
}

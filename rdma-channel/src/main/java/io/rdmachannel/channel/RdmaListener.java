// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.channel.core.Listener;
import io.rdmachannel.channel.core.ManagedListener;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Accepts channels at an address. Any thread may use it. Handshakes run beside each other, so that a slow or silent
 * peer holds up nobody else; they end at {@link ChannelConfig#handshakeTimeout()}.
 *
 * <p>Lives until closed; channels that were accepted live on.
 */
public interface RdmaListener extends AutoCloseable {
    /**
     * Binds to an address.
     *
     * @param address the local address; port 0 for any free one; for {@link ConnectionMethod#RDMA_CM} one of an RDMA
     *     device, or 0.0.0.0 or :: for all
     * @param config how channels are made; without a poller in it they all get one poller, which the calling thread
     *     owns
     * @param handlers gives the handler of each channel, in the thread of its handshake
     * @return the listener
     * @throws ChannelException if the address cannot be bound
     */
    static RdmaListener bind(InetSocketAddress address, ChannelConfig config, Supplier<ChannelHandler> handlers) {
        return config.connectionMethod() == ConnectionMethod.RDMA_CM
                ? ManagedListener.bind(address, config, handlers)
                : Listener.bind(address, config, handlers);
    }

    /**
     * Gives the address.
     *
     * @return with the port in force
     */
    InetSocketAddress address();

    /**
     * Gives the poller that accepted channels belong to.
     *
     * @return the configured one, or the listener's own
     */
    Poller poller();

    /**
     * Waits for the next channel whose handshake has succeeded.
     *
     * @param timeout how long at most
     * @return a connected channel, or null at the time limit
     * @throws InterruptedException if interrupted
     * @throws ChannelException if the listener is closed
     */
    RdmaChannel accept(Duration timeout) throws InterruptedException;

    /**
     * Gives the next channel whose handshake succeeds, without waiting. Several calls are served in their order.
     *
     * @return completes with a connected channel; exceptionally with a {@link ChannelException} when the listener
     *     closes
     */
    CompletionStage<RdmaChannel> acceptAsync();

    /**
     * Stops accepting, ends handshakes in progress, and closes channels that nobody has accepted. Idempotent. Its own
     * poller, if it has one, is closed when the last of its channels is.
     */
    @Override
    void close();
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.rdma.RdmaSource;
import io.rdmachannel.verbs.RdmaException;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Which transports one side can do, with the queue pair that it has made for that.
 *
 * @param rdma the link that is being made; null when RDMA cannot or shall not be
 * @param source where its memory is; null likewise
 * @param reason why it cannot, although it would be allowed
 */
record Offer(PendingLink rdma, LinkSource source, Optional<String> reason) {
    static final int TCP_BIT = 1;
    static final int RDMA_BIT = 2;

    /**
     * Finds out.
     *
     * @throws ChannelException if RDMA is required and cannot be
     */
    static Offer of(HandshakeParts parts, InetAddress local) {
        ChannelConfig config = parts.config();
        if (config.transport() == Transport.TCP) {
            return new Offer(null, null, Optional.empty());
        }
        try {
            if (parts.memory().orElse(null) instanceof RdmaSource own) {
                return new Offer(own.prepareAnew(config, local), own, Optional.empty());
            }
            RdmaSource source = parts.loop().sources().rdma(config, local);
            return new Offer(source.prepare(config), source, Optional.empty());
        } catch (ChannelException impossible) {
            return without(config, impossible);
        } catch (RdmaException refused) {
            String message = "RDMA cannot be used: " + refused.getMessage();
            return without(config, new ChannelException(ChannelException.Reason.UNAVAILABLE, message, refused));
        }
    }

    private static Offer without(ChannelConfig config, ChannelException reason) {
        if (config.transport() == Transport.RDMA) {
            throw reason;
        }
        return new Offer(null, null, Optional.of(reason.getMessage()));
    }

    int bits(ChannelConfig config) {
        return (config.transport() == Transport.RDMA ? 0 : TCP_BIT) | (rdma == null ? 0 : RDMA_BIT);
    }

    void abandon() {
        if (rdma != null) {
            rdma.abandon();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import java.util.Optional;

/**
 * The values that both sides of a channel go by.
 *
 * @param receiveDepth how many receives of this side there can be
 * @param peerReceiveDepth how many receives of the peer there can be
 * @param peerReceiveCredit how many the peer has at the beginning
 * @param receiveBytes the size of this side's receive buffers
 * @param eagerBytes the longest message that is sent at once, in either direction
 * @param maxMessageBytes the longest message
 */
record Conversation(
        int receiveDepth,
        int peerReceiveDepth,
        int peerReceiveCredit,
        int receiveBytes,
        int eagerBytes,
        long maxMessageBytes) {
    /** Posts that messages and operations leave to notices and acknowledgements. */
    static final int NOTICE_ROOM = 16;

    private static final int RECEIVE_BYTES_MAX = 1 << 24;
    private static final int RECEIVE_DEPTH_MAX = 16384;

    /** How many posts a link must take. */
    static int linkDepth(int sendDepth) {
        return sendDepth + NOTICE_ROOM;
    }

    /** Says what this side wants. */
    static void describe(ChannelConfig config, Optional<SharedReceives> shared, Fields message) {
        message.put(Tag.RECEIVE_BYTES, 4, receiveBytes(config, shared))
                .put(Tag.RECEIVE_DEPTH, 4, config.receiveDepth())
                .put(Tag.RECEIVE_CREDIT, 4, shared.isPresent() ? SharedReceives.GUARANTEED : config.receiveDepth())
                .put(Tag.MAX_MESSAGE_BYTES, 8, config.maxMessageBytes());
    }

    /** Agrees on what both sides can do. */
    static Conversation between(ChannelConfig config, Optional<SharedReceives> shared, Fields peer) {
        int receiveBytes = receiveBytes(config, shared);
        int peerReceiveBytes = (int) peer.number(Tag.RECEIVE_BYTES, 4, 64, RECEIVE_BYTES_MAX);
        int peerReceiveDepth = (int) peer.number(Tag.RECEIVE_DEPTH, 4, 8, RECEIVE_DEPTH_MAX);
        long peerMaxMessage = peer.number(Tag.MAX_MESSAGE_BYTES, 8, 0, Long.MAX_VALUE);
        return new Conversation(
                config.receiveDepth(),
                peerReceiveDepth,
                peerCredit(peer, peerReceiveDepth),
                receiveBytes,
                Math.min(receiveBytes, peerReceiveBytes),
                Math.min(config.maxMessageBytes(), peerMaxMessage));
    }

    private static int receiveBytes(ChannelConfig config, Optional<SharedReceives> shared) {
        return shared.map(SharedReceives::receiveBytes).orElse(config.receiveBytes());
    }

    /** A peer that does not say has all its receives at the beginning. */
    private static int peerCredit(Fields peer, int depth) {
        return peer.has(Tag.RECEIVE_CREDIT) ? (int) peer.number(Tag.RECEIVE_CREDIT, 4, 8, depth) : depth;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;

/**
 * The values that both sides of a channel go by.
 *
 * @param receiveDepth receives of this side
 * @param peerReceiveDepth receives of the peer
 * @param receiveBytes the size of this side's receive buffers
 * @param eagerBytes the longest message that is sent at once, in either direction
 * @param maxMessageBytes the longest message
 */
record Conversation(int receiveDepth, int peerReceiveDepth, int receiveBytes, int eagerBytes, long maxMessageBytes) {
    /** Posts that messages and operations leave to notices and acknowledgements. */
    static final int NOTICE_ROOM = 16;

    private static final int RECEIVE_BYTES_MAX = 1 << 24;
    private static final int RECEIVE_DEPTH_MAX = 16384;

    /** How many posts a link must take. */
    static int linkDepth(int sendDepth) {
        return sendDepth + NOTICE_ROOM;
    }

    /** Says what this side wants. */
    static void describe(ChannelConfig config, Fields message) {
        message.put(Tag.RECEIVE_BYTES, 4, config.receiveBytes())
                .put(Tag.RECEIVE_DEPTH, 4, config.receiveDepth())
                .put(Tag.MAX_MESSAGE_BYTES, 8, config.maxMessageBytes());
    }

    /** Agrees on what both sides can do. */
    static Conversation between(ChannelConfig config, Fields peer) {
        int peerReceiveBytes = (int) peer.number(Tag.RECEIVE_BYTES, 4, 64, RECEIVE_BYTES_MAX);
        int peerReceiveDepth = (int) peer.number(Tag.RECEIVE_DEPTH, 4, 8, RECEIVE_DEPTH_MAX);
        long peerMaxMessage = peer.number(Tag.MAX_MESSAGE_BYTES, 8, 0, Long.MAX_VALUE);
        return new Conversation(
                config.receiveDepth(),
                peerReceiveDepth,
                config.receiveBytes(),
                Math.min(config.receiveBytes(), peerReceiveBytes),
                Math.min(config.maxMessageBytes(), peerMaxMessage));
    }
}

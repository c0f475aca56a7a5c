// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.PoolExhaustedException;
import io.rdmachannel.mempool.PoolSizing;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the channels of one pool may hold at once: looked at when a channel begins, so that it is refused with the sum
 * in the message and does not starve later. Any thread.
 */
final class MemoryPlan {
    private final RegisteredMemoryPool pool;
    private final Map<Receives, Share> shares = new LinkedHashMap<>();

    /** One channel's terms of the sum. */
    private record Share(int receiveDepth, int receiveBytes, int sendDepth, int eagerBytes) {}

    MemoryPlan(RegisteredMemoryPool pool) {
        this.pool = pool;
    }

    /**
     * Sets a channel's receive buffers aside, if the pool can hold what all channels may need.
     *
     * @param holder the channel, for messages
     * @param config its settings
     * @param values what both sides go by
     * @return the buffers, whose closing gives the share back
     * @throws ChannelException if the pool is too small; nothing is taken then
     */
    synchronized Receives admit(String holder, ChannelConfig config, Conversation values) {
        Share share = new Share(values.receiveDepth(), values.receiveBytes(), config.sendDepth(), values.eagerBytes());
        try {
            with(share).requireFits(pool.config());
            Receives receives = new Receives(pool, holder, values.receiveBytes(), values.receiveDepth(), this::release);
            shares.put(receives, share);
            return receives;
        } catch (PoolExhaustedException tooSmall) {
            throw new ChannelException(
                    Reason.UNAVAILABLE,
                    "there is no memory for one more channel on this poller: " + tooSmall.getMessage()
                            + ". See PollerConfig.withPool, ChannelConfig.receiveDepth and receiveBytes",
                    tooSmall);
        }
    }

    private synchronized void release(Receives receives) {
        shares.remove(receives);
    }

    /** The documented sum: posted receives, and sends in flight, of every channel. */
    private PoolSizing with(Share one) {
        PoolSizing sum = PoolSizing.withHeadroom(FrameHeader.BYTES);
        for (Share share : shares.values()) {
            sum = plus(sum, share);
        }
        return plus(sum, one);
    }

    private static PoolSizing plus(PoolSizing sum, Share share) {
        return sum.plus("posted receives", share.receiveDepth, share.receiveBytes)
                .plus("sends in flight", share.sendDepth, share.eagerBytes);
    }
}

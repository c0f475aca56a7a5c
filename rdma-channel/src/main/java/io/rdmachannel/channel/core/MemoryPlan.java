// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.Claim;
import io.rdmachannel.mempool.PoolExhaustedException;
import io.rdmachannel.mempool.PoolSizing;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * What the channels of one source may hold at once: looked at when a channel begins, so that it is refused with the sum
 * in the message and does not starve later. Any thread.
 */
final class MemoryPlan {
    private final LinkSource source;
    private final Map<Object, Share> shares = new IdentityHashMap<>();

    /** One channel's terms of the sum. */
    private record Share(int receiveDepth, int receiveBytes, int sendDepth, int eagerBytes) {}

    MemoryPlan(LinkSource source) {
        this.source = source;
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
        CommonReceives common = source.commonReceives();
        Share share = share(common, config, values);
        Object mark = new Object();
        requireFits(share, common);
        Receives receives = common == null
                ? new OwnReceives(
                        source.pool(), holder, values.receiveBytes(), values.receiveDepth(), () -> release(mark))
                : new ReceiveShare(common, values.receiveDepth(), () -> release(mark));
        shares.put(mark, share);
        return receives;
    }

    /**
     * Sets buffers aside.
     *
     * @throws ChannelException if the pool has not so many
     */
    static Claim claim(RegisteredMemoryPool pool, String holder, int bytes, int count) {
        try {
            return pool.claim(holder, bytes, count);
        } catch (PoolExhaustedException tooSmall) {
            throw refusal(tooSmall);
        }
    }

    private void requireFits(Share share, CommonReceives common) {
        try {
            with(share, common).requireFits(source.pool().config());
        } catch (PoolExhaustedException tooSmall) {
            throw refusal(tooSmall);
        }
    }

    private synchronized void release(Object mark) {
        shares.remove(mark);
    }

    /** Of many channels few are busy at once, so that only some sends of each are counted. */
    private static Share share(CommonReceives common, ChannelConfig config, Conversation values) {
        return common == null
                ? new Share(values.receiveDepth(), values.receiveBytes(), config.sendDepth(), values.eagerBytes())
                : new Share(0, 0, Math.min(config.sendDepth(), SharedReceives.GUARANTEED), values.eagerBytes());
    }

    /** The documented sum: posted receives, and sends in flight, of every channel. */
    private PoolSizing with(Share one, CommonReceives common) {
        PoolSizing sum = PoolSizing.withHeadroom(FrameHeader.BYTES);
        if (common != null) {
            sum = sum.plus(
                    "shared receives",
                    common.config().receives(),
                    common.config().receiveBytes());
        }
        for (Share share : shares.values()) {
            sum = plus(sum, share);
        }
        return plus(sum, one);
    }

    private static PoolSizing plus(PoolSizing sum, Share share) {
        PoolSizing sends = sum.plus("sends in flight", share.sendDepth, share.eagerBytes);
        return share.receiveDepth == 0 ? sends : sends.plus("posted receives", share.receiveDepth, share.receiveBytes);
    }

    private static ChannelException refusal(PoolExhaustedException tooSmall) {
        return new ChannelException(
                Reason.UNAVAILABLE,
                "there is no memory for one more channel on this poller: " + tooSmall.getMessage()
                        + ". See PollerConfig.withPool and withSharedReceives, ChannelConfig.receiveDepth and"
                        + " receiveBytes",
                tooSmall);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.protocol.RegionNotice;
import io.rdmachannel.mempool.Lease;

/** Tells a channel's handler what has arrived. The event loop's thread only. */
final class Deliveries implements Incoming.Receiver {
    private final ChannelCore channel;
    private final ChannelLife life;

    Deliveries(ChannelCore channel, ChannelLife life) {
        this.channel = channel;
        this.life = life;
    }

    @Override
    public void message(Lease lease, long length) {
        channel.counters().received(length, length > channel.setup().values().eagerBytes());
        channel.handler().onMessage(channel, lease.segment(), 0, length);
    }

    @Override
    public void immediate(int value, long length) {
        channel.counters().count(ChannelCounter.RECEIVED_IMMEDIATES);
        channel.handler().onWriteWithImmediate(channel, value, length);
    }

    @Override
    public RemoteRegion regionChanged(RegionNotice notice, boolean exposed) {
        Regions regions = channel.regions();
        return exposed ? regions.peerExposed(notice) : regions.peerRevoked(notice);
    }

    @Override
    public void region(RemoteRegion region, boolean exposed) {
        if (exposed) {
            channel.handler().onRegionExposed(channel, region);
        } else {
            channel.handler().onRegionRevoked(channel, region);
        }
    }

    @Override
    public void resumed() {
        channel.recovery().greeted();
    }

    @Override
    public void end() {
        life.peerEnded();
    }
}

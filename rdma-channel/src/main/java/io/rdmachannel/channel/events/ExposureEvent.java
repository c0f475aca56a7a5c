// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.events;

import io.rdmachannel.channel.RdmaChannel;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Memory was made known to an adapter for the peer; the duration is the registration's. */
@Name("io.rdmachannel.channel.Exposure")
@Label("Region Exposure")
@Category({"RDMA", "Channel"})
@Description("Memory was registered for the peer; over TCP nothing has to be registered")
@StackTrace(false)
public final class ExposureEvent extends Event {
    @Label("Peer")
    String peer;

    @Label("Transport")
    String transport;

    @Label("Region")
    String region;

    @Label("Size")
    @DataAmount
    long bytes;

    /**
     * Ends it.
     *
     * @param channel whose region it is
     * @param name the region's name
     * @param size how long it is
     */
    public void finish(RdmaChannel channel, String name, long size) {
        if (shouldCommit()) {
            peer = channel.peerAddress().toString();
            transport = channel.transport().name();
            region = name;
            bytes = size;
            commit();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.events;

import io.rdmachannel.channel.RdmaChannel;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A channel was connected over TCP where RDMA was allowed. */
@Name("io.rdmachannel.channel.Fallback")
@Label("Fallback to TCP")
@Category({"RDMA", "Channel"})
@Description("A channel was connected over TCP where RDMA was allowed")
@StackTrace(false)
public final class FallbackEvent extends Event {
    @Label("Peer")
    String peer;

    @Label("Session")
    @Description("The beginning of the session's name, the same on both sides")
    String session;

    @Label("Reason")
    String reason;

    /**
     * Tells it.
     *
     * @param channel the channel over TCP
     * @param session the label of its session
     * @param why why it is not over RDMA
     */
    public static void emit(RdmaChannel channel, String session, String why) {
        FallbackEvent event = new FallbackEvent();
        if (event.isEnabled()) {
            event.peer = channel.peerAddress().toString();
            event.session = session;
            event.reason = why;
            event.commit();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.events;

import io.rdmachannel.channel.RdmaChannel;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The peer's heartbeat was not there in time. */
@Name("io.rdmachannel.channel.HeartbeatLate")
@Label("Heartbeat Late")
@Category({"RDMA", "Channel"})
@Description("The peer's heartbeat was not there in time")
@StackTrace(false)
public final class HeartbeatLateEvent extends Event {
    @Label("Peer")
    String peer;

    @Label("Session")
    @Description("The beginning of the session's name, the same on both sides")
    String session;

    @Label("Silent For")
    @Description("Since the last heartbeat")
    @Timespan(Timespan.NANOSECONDS)
    long silence;

    @Label("Tolerance")
    @Description("The silence after which the peer counts as gone")
    @Timespan(Timespan.NANOSECONDS)
    long tolerance;

    /**
     * Tells it.
     *
     * @param channel whose peer is silent
     * @param session the label of its session
     * @param silentNanos for how long
     * @param toleranceNanos how long it may be
     */
    public static void emit(RdmaChannel channel, String session, long silentNanos, long toleranceNanos) {
        HeartbeatLateEvent event = new HeartbeatLateEvent();
        if (event.isEnabled()) {
            event.peer = channel.peerAddress().toString();
            event.session = session;
            event.silence = silentNanos;
            event.tolerance = toleranceNanos;
            event.commit();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.events;

import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.RdmaChannel;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A channel went from one state to another. */
@Name("io.rdmachannel.channel.StateChange")
@Label("Channel State Change")
@Category({"RDMA", "Channel"})
@Description("A channel went from one state to another")
@StackTrace(false)
public final class StateChangeEvent extends Event {
    @Label("Peer")
    String peer;

    @Label("Session")
    @Description("The beginning of the session's name, the same on both sides")
    String session;

    @Label("Transport")
    String transport;

    @Label("Before")
    String before;

    @Label("After")
    String after;

    @Label("Failure")
    @Description("Why a channel failed; else null")
    String failure;

    /**
     * Tells it.
     *
     * @param channel whose state it is
     * @param session the label of its session
     * @param from the state before
     * @param to the state now
     */
    public static void emit(RdmaChannel channel, String session, ChannelState from, ChannelState to) {
        StateChangeEvent event = new StateChangeEvent();
        if (event.isEnabled()) {
            event.peer = channel.peerAddress().toString();
            event.session = session;
            event.transport = channel.transport().name();
            event.before = from.name();
            event.after = to.name();
            event.failure = channel.failure().map(Throwable::getMessage).orElse(null);
            event.commit();
        }
    }
}

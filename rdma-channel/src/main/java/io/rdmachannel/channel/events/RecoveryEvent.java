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
import jdk.jfr.Timespan;

/** A channel was connected anew, or could not be. Begins when the failure was detected, ends when traffic goes on. */
@Name("io.rdmachannel.channel.Recovery")
@Label("Channel Recovery")
@Category({"RDMA", "Channel"})
@Description("A broken channel was connected anew, or could not be")
@StackTrace(false)
public final class RecoveryEvent extends Event {
    @Label("Peer")
    String peer;

    @Label("Session")
    @Description("The beginning of the session's name, the same on both sides")
    String session;

    @Label("Cause")
    @Description("What the failure's message says")
    String cause;

    @Label("Outcome")
    @Description("The state afterwards: CONNECTED, DEGRADED or FAILED")
    String outcome;

    @Label("Attempts")
    int attempts;

    @Label("Reconnect")
    @Description("From the beginning of the recovery until both sides have agreed, pauses included")
    @Timespan(Timespan.NANOSECONDS)
    long reconnect;

    @Label("Resume")
    @Description("From the agreement until what was under way has been posted again")
    @Timespan(Timespan.NANOSECONDS)
    long resume;

    /**
     * How long each phase took, in nanoseconds; 0 for one that was not reached.
     *
     * @param reconnect from the beginning of the recovery until both sides have agreed, pauses included
     * @param resume from the agreement until what was under way has been posted again
     */
    public record Phases(long reconnect, long resume) {}

    /**
     * Ends it.
     *
     * @param channel the channel
     * @param label the label of its session
     * @param why what had failed
     * @param tries how often it was tried to connect
     * @param phases how long each took
     * @param end the state afterwards
     */
    public void finish(RdmaChannel channel, String label, String why, int tries, Phases phases, ChannelState end) {
        if (shouldCommit()) {
            peer = channel.peerAddress().toString();
            session = label;
            cause = why;
            attempts = tries;
            reconnect = phases.reconnect();
            resume = phases.resume();
            outcome = end.name();
            commit();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.events;

import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.RdmaChannel;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A message or operation that was watched ended late; the duration is from its acceptance to its end. */
@Name("io.rdmachannel.channel.SlowCompletion")
@Label("Slow Completion")
@Category({"RDMA", "Channel"})
@Description("A message or operation took long to end; of each channel one is watched at a time")
@StackTrace(false)
@Enabled(false)
@Threshold("10 ms")
public final class SlowCompletionEvent extends Event {
    @Label("Peer")
    String peer;

    @Label("Transport")
    String transport;

    @Label("Kind")
    @Description("MESSAGE, WRITE, READ or ATOMIC")
    String kind;

    @Label("Size")
    @DataAmount
    long bytes;

    @Label("Outcome")
    String outcome;

    /** What was watched. */
    public enum Kind {
        /** A message: until the peer's handler has had it. */
        MESSAGE,
        /** A write, with or without immediate. */
        WRITE,
        /** A read. */
        READ,
        /** A compare-and-swap or an addition. */
        ATOMIC
    }

    /**
     * Ends it.
     *
     * @param channel where it happened
     * @param what what was watched
     * @param size how long it was
     * @param end how it ended
     */
    public void finish(RdmaChannel channel, Kind what, long size, Outcome end) {
        end();
        if (shouldCommit()) {
            peer = channel.peerAddress().toString();
            transport = channel.transport().name();
            kind = what.name();
            bytes = size;
            outcome = end.name();
            commit();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.events;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.RdmaChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A channel was connected, or could not be; the duration is that of all attempts. */
@Name("io.rdmachannel.channel.Connect")
@Label("Channel Connect")
@Category({"RDMA", "Channel"})
@Description("A channel was connected, or could not be; with all attempts of the connecting side")
@StackTrace(false)
public final class ConnectEvent extends Event {
    private static final String CONNECTED = "CONNECTED";

    @Label("Peer")
    String peer;

    @Label("Side")
    @Description("CONNECTING or ACCEPTING")
    String side;

    @Label("Connection Method")
    String method;

    @Label("Transport")
    @Description("RDMA or TCP; null when there is no channel")
    String transport;

    @Label("Outcome")
    @Description("CONNECTED, or the reason of the ChannelException, CANCELLED or ERROR")
    String outcome;

    @Label("Failure")
    @Description("What the exception says; null for CONNECTED")
    String failure;

    @Label("Attempts")
    int attempts;

    /** Which side of a channel. */
    public enum Side {
        /** The one that connects. */
        CONNECTING,
        /** The listener's. */
        ACCEPTING
    }

    /**
     * Begins an event that ends with a channel, or without one.
     *
     * @param result the channel to be
     * @param side of whom
     * @param peer where to, or where from
     * @param method the name of the connection method
     * @return the event
     */
    public static ConnectEvent follow(
            CompletableFuture<RdmaChannel> result, Side side, InetSocketAddress peer, String method) {
        ConnectEvent event = new ConnectEvent();
        event.begin();
        result.whenComplete((channel, thrown) -> event.finish(side, peer, method, channel, thrown));
        return event;
    }

    /** Counts an attempt. */
    public void attempt() {
        attempts++;
    }

    private void finish(Side whose, InetSocketAddress address, String how, RdmaChannel channel, Throwable thrown) {
        if (shouldCommit()) {
            side = whose.name();
            peer = address.toString();
            method = how;
            transport = channel == null ? null : channel.transport().name();
            outcome = outcome(thrown);
            failure = thrown == null ? null : thrown.getMessage();
            commit();
        }
    }

    private static String outcome(Throwable thrown) {
        return switch (thrown) {
            case null -> CONNECTED;
            case ChannelException known -> known.reason().name();
            case CancellationException cancelled -> "CANCELLED";
            default -> "ERROR";
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.util.EnumSet;
import java.util.Set;

/** Where a channel stands. The legal moves are the table in {@link #successors()}. */
public enum ChannelState {
    /** The two sides are agreeing on how to talk. */
    CONNECTING,
    /** Works over the transport that was agreed on. */
    CONNECTED,
    /** Works over TCP for now, since RDMA has failed. */
    DEGRADED,
    /** Does not work; a new connection is being made. */
    RECOVERING,
    /** What was sent is still being delivered; nothing new is accepted. */
    CLOSING,
    /** Over, by one side's wish. */
    CLOSED,
    /** Over, by an error; {@link RdmaChannel#failure()} says which. */
    FAILED;

    /**
     * Gives the states that may follow.
     *
     * @return a new set; empty for CLOSED
     */
    public Set<ChannelState> successors() {
        return switch (this) {
            case CONNECTING -> EnumSet.of(CONNECTED, CLOSING, FAILED);
            case CONNECTED -> EnumSet.of(DEGRADED, RECOVERING, CLOSING, FAILED);
            case DEGRADED -> EnumSet.of(CONNECTED, RECOVERING, CLOSING, FAILED);
            case RECOVERING -> EnumSet.of(CONNECTED, DEGRADED, CLOSING, FAILED);
            case CLOSING -> EnumSet.of(CLOSED, FAILED);
            case FAILED -> EnumSet.of(CLOSED);
            case CLOSED -> EnumSet.noneOf(ChannelState.class);
        };
    }

    /**
     * Says whether operations are accepted.
     *
     * @return true for CONNECTED and DEGRADED
     */
    public boolean isOpen() {
        return this == CONNECTED || this == DEGRADED;
    }

    /**
     * Says whether nothing will ever be accepted again.
     *
     * @return true for CLOSED and FAILED
     */
    public boolean isOver() {
        return this == CLOSED || this == FAILED;
    }
}

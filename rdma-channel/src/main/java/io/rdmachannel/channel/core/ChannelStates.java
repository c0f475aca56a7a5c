// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelState;

/** Where a channel stands. The one method that moves it checks the move; any thread may look. */
final class ChannelStates {
    /** Who is told of a move. */
    interface Listener {
        /** The channel has moved. */
        void moved(ChannelState before, ChannelState now);
    }

    private final Listener listener;
    private volatile ChannelState state = ChannelState.CONNECTING;
    private volatile long sinceNanos = System.nanoTime();

    ChannelStates(Listener listener) {
        this.listener = listener;
    }

    ChannelState now() {
        return state;
    }

    /** When the present state began, on the clock of {@link System#nanoTime}. */
    long sinceNanos() {
        return sinceNanos;
    }

    /**
     * Moves.
     *
     * @throws IllegalStateException if there is no such move
     */
    void move(ChannelState next) {
        ChannelState before = state;
        if (!before.successors().contains(next)) {
            throw new IllegalStateException("a channel cannot go from " + before + " to " + next);
        }
        sinceNanos = System.nanoTime();
        state = next;
        listener.moved(before, next);
    }
}

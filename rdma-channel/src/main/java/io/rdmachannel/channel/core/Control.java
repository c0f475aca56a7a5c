// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.net.InetSocketAddress;

/** What connects the two sides beside the data path: where they agree, and which tells that the peer lives. */
interface Control extends AutoCloseable {
    /** Who is told that it has ended. */
    interface Watcher {
        /** It has ended; in any thread. */
        void ended(ControlEnd end);

        /** A heartbeat was sent; in any thread. */
        default void beat() {}

        /** The peer's heartbeat came, so long after the last sign of life; in any thread. */
        default void heard(long silentNanos, Heartbeat heartbeat) {}
    }

    InetSocketAddress peer();

    /** What of the session's name may be told to everybody; empty before the two sides know it. */
    String session();

    /** Tells from now on when it ends. */
    void watch(Watcher watcher);

    /** Says goodbye, if it is in order, and closes; does not block. */
    void end(boolean orderly);

    /** Tells the peer that this side's channel has failed for good, and closes; does not block. */
    void giveUp(String sentence);

    /** Says nothing more, and so tells the peer that the connection is over; still hears whether the peer gives up. */
    void fallSilent();

    @Override
    void close();
}

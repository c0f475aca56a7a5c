// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The handshakes that go on for an event loop, in threads of their own: what they have set aside of the loop's memory
 * and devices must have come back before those can be closed. Any thread.
 */
final class Handshakes {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final String owner;
    private final Set<Handshake> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    Handshakes(String owner) {
        this.owner = owner;
    }

    /**
     * Begins one in the calling thread, which is interrupted when the loop does not want it any more.
     *
     * @return to be closed when the handshake has ended, and has given back what did not become a channel
     * @throws ChannelException (CLOSED) after {@link #end}
     */
    Handshake begin() {
        Handshake handshake = new Handshake(Thread.currentThread());
        underWay.add(handshake);
        if (ended) {
            handshake.close();
            throw closed();
        }
        return handshake;
    }

    /** Why a handshake has failed: after {@link #end} because of that, whatever its thread has seen of it. */
    ChannelException reason(ChannelException seen) {
        return ended ? closed() : seen;
    }

    /**
     * Cuts all of them off, lets none begin any more, and waits until they have ended.
     *
     * @param limit how long at most
     * @param meanwhile is done again and again, since some wait for the event loop's thread
     */
    void end(Duration limit, Runnable meanwhile) {
        ended = true;
        underWay.forEach(Handshake::cutOff);
        Deadline deadline = Deadline.after(limit);
        while (!underWay.isEmpty() && !deadline.isOver()) {
            meanwhile.run();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private ChannelException closed() {
        return new ChannelException(Reason.CLOSED, owner + " was closed while a channel of it was being connected");
    }

    /** One of them. */
    final class Handshake implements AutoCloseable {
        private final Thread thread;
        private boolean over;

        private Handshake(Thread thread) {
            this.thread = thread;
        }

        private synchronized void cutOff() {
            if (!over) {
                thread.interrupt();
            }
        }

        @Override
        public synchronized void close() {
            over = true;
            underWay.remove(this);
        }
    }
}

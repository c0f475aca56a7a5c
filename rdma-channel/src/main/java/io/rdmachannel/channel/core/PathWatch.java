// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Notices that a link carries nothing: a device may go on trying for ever, and an idle queue pair is silent. When
 * nothing has ended for half of the limit, a probe is posted; when that has not ended half of the limit later, the path
 * is lost. The event loop's thread only.
 */
final class PathWatch {
    private final ChannelCore channel;
    private final Duration limit;
    private final Consumer<ChannelException> lost;
    private Link watched;
    private long lastEnded;
    private long probe;
    private Timers.Timer timer;

    PathWatch(ChannelCore channel, Duration limit, Consumer<ChannelException> lost) {
        this.channel = channel;
        this.limit = limit;
        this.lost = lost;
    }

    void begin() {
        if (!limit.isZero()) {
            timer = channel.loop().timers().schedule(Math.max(1, limit.toNanos() / 2), this::look);
        }
    }

    void end() {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** There is reason to doubt the path: it is probed at once, and has the limit from now on. */
    void suspect() {
        boolean isProbed =
                channel.link() == watched && probe > channel.outgoing().postsEnded();
        if (isProbed) {
            return;
        }
        watched = channel.link();
        lastEnded = channel.outgoing().postsEnded();
        probe = watched.probe();
        watched.flush();
        if (timer != null) {
            timer.cancel();
            timer = channel.loop().timers().schedule(limit.toNanos(), this::look);
        }
    }

    private void look() {
        Link link = channel.link();
        if (link != null && link == watched) {
            look(link);
        } else {
            watched = link;
            probe = 0;
            lastEnded = channel.outgoing().postsEnded();
        }
        begin();
    }

    private void look(Link link) {
        long ended = channel.outgoing().postsEnded();
        if (probe > ended) {
            lost.accept(new ChannelException(
                    Reason.PATH_LOST,
                    "the path to the peer at " + channel.peerAddress() + " carries nothing: what was posted has not"
                            + " ended within pathTimeout, which is " + limit));
        } else {
            probe = ended == lastEnded ? link.probe() : 0;
            link.flush();
        }
        lastEnded = ended;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import java.util.concurrent.TimeUnit;

/** What the end of the control connection means for a channel. The event loop's thread only. */
final class ControlWatch {
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ChannelCore channel;
    private final ChannelLife life;
    private Timers.Timer lastFrame;

    ControlWatch(ChannelCore channel, ChannelLife life) {
        this.channel = channel;
        this.life = life;
    }

    /** Begins with the channel's present control connection; an earlier one is of no interest any more. */
    void begin() {
        Control control = channel.setup().control();
        control.watch(end -> channel.loop().executeUnlessClosed(() -> {
            if (channel.setup().control() == control) {
                ended(end);
            }
        }));
    }

    void cancel() {
        if (lastFrame != null) {
            lastFrame.cancel();
        }
    }

    private void ended(ControlEnd end) {
        if (life.isLinkOver()) {
            return;
        }
        channel.loop().attend(life);
        boolean orderly = end == ControlEnd.GOODBYE || end == ControlEnd.DISCONNECTED;
        if (orderly || life.isEndPosted()) {
            life.goodbye();
            awaitLastFrame(end);
            return;
        }
        if (end == ControlEnd.GIVEN_UP) {
            channel.recovery().forbid();
        }
        life.lose(loss(end));
    }

    /**
     * After a goodbye the peer's last frame is on the other path already. Whatever came of that path by the time a
     * timer is looked at has been told, so when nothing has come since the timer was set there is no such frame. It is
     * the last one also in that nothing before it still waits to be fetched.
     */
    private void awaitLastFrame(ControlEnd end) {
        long before = life.arrivals();
        lastFrame = channel.loop().timers().schedule(GRACE_NANOS, () -> {
            if (life.arrivals() != before) {
                awaitLastFrame(end);
            } else if (!life.isPeerEnded() && !life.isEndPosted()) {
                life.fail(new ChannelException(Reason.PEER_GONE, withoutLastFrame(end)));
            }
        });
    }

    private String withoutLastFrame(ControlEnd end) {
        return end == ControlEnd.DISCONNECTED
                ? peer() + " has disconnected without a last frame: its process has ended, or the network is cut"
                : peer()
                        + " has said goodbye, and its last frame has not come: the data path between the two is broken";
    }

    private ChannelException loss(ControlEnd end) {
        return switch (end) {
            case SILENT ->
                new ChannelException(
                        Reason.PATH_LOST,
                        "nothing has been heard of " + peer() + " for heartbeatTolerance, which is "
                                + channel.config().heartbeatTolerance()
                                + ": its process or host is stopped, or the network is cut");
            case GIVEN_UP -> new ChannelException(Reason.PEER_GONE, peer() + " has given the channel up");
            default ->
                new ChannelException(
                        Reason.PEER_GONE,
                        "the control connection to " + channel.peerAddress()
                                + " has ended without a goodbye: the peer's process has ended, or the network is cut");
        };
    }

    private String peer() {
        return "the peer at " + channel.peerAddress();
    }
}

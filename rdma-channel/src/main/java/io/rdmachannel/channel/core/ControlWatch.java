// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.events.HeartbeatLateEvent;
import java.util.concurrent.TimeUnit;

/** What the end of the control connection means for a channel. The event loop's thread only. */
final class ControlWatch {
    private static final int LATE_INTERVALS = 2;
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
        control.watch(new Control.Watcher() {
            @Override
            public void ended(ControlEnd end) {
                channel.loop().executeUnlessClosed(() -> {
                    if (channel.setup().control() == control) {
                        ControlWatch.this.ended(end);
                    }
                });
            }

            @Override
            public void beat() {
                channel.counters().addFromAnyThread(ChannelCounter.SENT_HEARTBEATS, 1);
            }

            @Override
            public void heard(long silentNanos, Heartbeat heartbeat) {
                ControlWatch.this.heard(control, silentNanos, heartbeat);
            }
        });
    }

    /** In the thread that reads. */
    private void heard(Control control, long silentNanos, Heartbeat heartbeat) {
        channel.counters().addFromAnyThread(ChannelCounter.RECEIVED_HEARTBEATS, 1);
        if (silentNanos > LATE_INTERVALS * heartbeat.interval().toNanos()) {
            channel.counters().addFromAnyThread(ChannelCounter.LATE_HEARTBEATS, 1);
            long tolerance = heartbeat.tolerance().toNanos();
            HeartbeatLateEvent.emit(channel, control.session(), silentNanos, tolerance);
        }
    }

    void cancel() {
        if (lastFrame != null) {
            lastFrame.cancel();
        }
    }

    /** Closes the control connection, and tells the peer how, as far as it would wait otherwise. */
    void close(boolean orderly, ChannelException failure) {
        Control control = channel.setup().control();
        if (orderly || channel.setup().resumable().isEmpty()) {
            control.end(orderly);
        } else {
            control.giveUp(failure == null ? "the channel was closed" : failure.getMessage());
        }
    }

    private void ended(ControlEnd end) {
        if (end == ControlEnd.GIVEN_UP && channel.recovery().isSuspended()) {
            // The link may end before the word about it comes.
            channel.recovery().giveUp(loss(end));
        }
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

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.channel.OutgoingMessage;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.mempool.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The channel for the traffic, and how its thread waits for something to come. Belongs to the poller's thread. */
final class DataLine {
    /** What exposed memory is called. */
    static final String REGION = "traffic";

    private static final Duration SLEEP = Duration.ofMillis(100);
    private static final int LOOKS_PER_CHECK = 1 << 14;

    final RdmaChannel channel;
    final TrafficHandler peer;
    private final boolean sleeps;
    private final long silenceMaxNanos;
    private int looks;
    private long quietSince;

    /**
     * Makes a line.
     *
     * @param channel the channel
     * @param peer its handler
     * @param sleeps whether to wait in the way of the poller's mode, or to look again at once
     * @param silenceMax how long nothing may come before that is a failure; zero for any time
     */
    DataLine(RdmaChannel channel, TrafficHandler peer, boolean sleeps, Duration silenceMax) {
        this.channel = channel;
        this.peer = peer;
        this.sleeps = sleeps;
        this.silenceMaxNanos = silenceMax.toNanos();
    }

    /** Looks once for something to do, or sleeps until there is something. Called again and again while waiting. */
    void await() {
        int events = sleeps ? channel.poll(SLEEP) : channel.poll();
        if (peer.broken) {
            throw broken();
        }
        if (events > 0) {
            heard();
        } else if (sleeps || (++looks & LOOKS_PER_CHECK - 1) == 0) {
            checkSilence();
        }
    }

    /** The other side is alive, as is known otherwise than by an event of the channel. */
    void heard() {
        looks = 0;
        quietSince = 0;
    }

    /** Sends a message of this length that is whatever the pool's buffer holds. */
    void send(int bytes) {
        OutgoingMessage message = claim(bytes);
        while (!message.commit(bytes).isAccepted()) {
            await();
        }
    }

    /** Sends the message without bytes that ends a run. */
    void sendEnd() {
        send(0);
    }

    /** Checks an answer that was not ACCEPTED: waits where that helps, and fails otherwise. */
    void refused(Submission answer) {
        if (!answer.isBackPressure()) {
            throw new ToolException("the channel takes no more operations: " + answer.meaning());
        }
        await();
    }

    /** Waits for the memory that the other side exposes. */
    RemoteRegion region() {
        Optional<RemoteRegion> region = channel.remoteRegion(REGION);
        while (region.isEmpty()) {
            await();
            region = channel.remoteRegion(REGION);
        }
        return region.get();
    }

    /** Acquires a registered buffer. */
    Lease acquire(long bytes) {
        Lease lease = channel.acquire(bytes);
        if (lease == null) {
            throw new ToolException("there is no memory for a buffer of " + bytes + " bytes: choose a smaller size");
        }
        return lease;
    }

    private OutgoingMessage claim(int bytes) {
        OutgoingMessage message = channel.claim(bytes);
        while (message == null) {
            await();
            message = channel.claim(bytes);
        }
        return message;
    }

    private void checkSilence() {
        long now = System.nanoTime();
        if (quietSince == 0) {
            quietSince = now;
        } else if (silenceMaxNanos > 0 && now - quietSince > silenceMaxNanos) {
            throw new ToolException("nothing has come from " + channel.peerAddress() + " for "
                    + TimeUnit.NANOSECONDS.toSeconds(silenceMaxNanos)
                    + " s: its process is stopped, or the path for the data is cut");
        }
    }

    private ToolException broken() {
        return new ToolException(channel.failure()
                .map(failure -> "the channel failed: " + failure.getMessage())
                .orElse("the other side has closed the channel"));
    }
}

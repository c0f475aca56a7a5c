// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.RecoveryPolicy;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a channel that has lost its link gets another one: the connecting side connects anew, the accepting side waits.
 * The event loop's thread only, but for what says otherwise.
 */
final class Recovery {
    private static final Logger LOGGER = LoggerFactory.getLogger(Recovery.class);
    private static final int RETURN_DOUBLINGS = 4;

    /** Where it stands. */
    private enum Phase {
        /** The channel has a link, and all is as usual. */
        NONE,
        /** There is no link. */
        SUSPENDED,
        /** There is a new link, and the peer has not told of its regions. */
        GREETING,
        /** What was not delivered is being posted again. */
        REPLAYING
    }

    private final ChannelCore channel;
    private final ChannelConfig config;
    private final Transport first;
    private final AtomicLong epoch = new AtomicLong();
    private final Replay replay;
    private Phase phase = Phase.NONE;
    private ChannelException cause;
    private long beganNanos;
    private RecoveryReport report;
    private boolean forbidden;
    /** How the channel worked before it was interrupted. */
    private ChannelState before = ChannelState.CONNECTED;

    private Timers.Timer deadline;
    private Timers.Timer comeBack;
    private int returnsFailed;
    private volatile Reconnection running;

    Recovery(ChannelCore channel, ChannelSetup setup) {
        this.channel = channel;
        this.config = setup.config();
        this.first = setup.transport();
        this.replay = new Replay(channel);
    }

    /** Whether a failure can be recovered from. */
    boolean isPossible(ChannelException failure) {
        boolean wanted = !forbidden && channel.setup().resumable().isPresent();
        return wanted
                && isInTime()
                && switch (failure.reason()) {
                    case TRANSPORT, PEER_GONE, PATH_LOST, TIMEOUT -> true;
                    default -> false;
                };
    }

    /** The peer has given the channel up: nothing will come of another connection. */
    void forbid() {
        forbidden = true;
    }

    boolean isSuspended() {
        return phase == Phase.SUSPENDED;
    }

    boolean isUnderWay() {
        return phase != Phase.NONE;
    }

    /** Begins; the link has been closed. */
    void begin(ChannelException failure) {
        phase = Phase.SUSPENDED;
        cause = failure;
        cancel(comeBack);
        if (deadline == null) {
            beganNanos = channel.loop().timers().now();
            channel.counters().count(ChannelCounter.BEGUN_RECOVERIES);
            report = new RecoveryReport();
            deadline = channel.loop().timers().schedule(config.recoveryTimeout().toNanos(), () -> giveUp(late()));
        }
        if (running == null) {
            LOGGER.warn("{}: to be connected anew, since {}", channel, failure.getMessage());
        }
        if (isConnectingSide() && running == null) {
            start(new Reconnection(channel, transport(), false));
        }
    }

    /** What this side has handled; final once there is no link. */
    Delivered delivered() {
        return new Delivered(channel.handledMessages(), channel.incoming().immediatesArrived());
    }

    /** The number of the next attempt, on the connecting side. Any thread. */
    long nextEpoch() {
        return epoch.incrementAndGet();
    }

    /**
     * An attempt of the peer's. Any thread.
     *
     * @throws ProtocolException if a later one was made already
     */
    void offered(long number) {
        if (epoch.getAndAccumulate(number, Math::max) >= number) {
            throw new ProtocolException("it connects with epoch " + number + ", and has connected later already");
        }
    }

    /** Whether an attempt is still wanted. Any thread. */
    boolean isWanted(Reconnection attempt) {
        ChannelState state = channel.state();
        boolean closes = state == ChannelState.CLOSING;
        return running == attempt && !state.isOver() && !(closes && attempt.isReturn());
    }

    /** Closes the link that still works, since another one is proven; says whether there is none now. */
    boolean suspend() {
        if (phase == Phase.SUSPENDED) {
            return true;
        }
        return isInTime()
                && channel.life()
                        .suspend(new ChannelException(Reason.TRANSPORT, "the two sides go over to another connection"));
    }

    /**
     * Goes on with another link.
     *
     * @throws ChannelException if the channel does not wait for one any more
     */
    void adopt(Candidate candidate, Delivered peer) {
        if (phase != Phase.SUSPENDED || !isInTime()) {
            throw new ChannelException(Reason.CLOSED, channel + " does not wait for a connection any more");
        }
        running = null;
        phase = Phase.GREETING;
        report.agreed();
        try {
            channel.life().resume(candidate, peer);
            replay.settle(peer);
            if (isConnectingSide()) {
                channel.notices().resumed(channel.regions().notices());
            }
        } catch (ProtocolException wrong) {
            giveUp(new ChannelException(Reason.PROTOCOL, "the peer: " + wrong.getMessage(), wrong));
        } catch (RuntimeException failed) {
            giveUp(new ChannelException(Reason.TRANSPORT, "the channel could not be resumed: " + failed, failed));
        }
    }

    /**
     * The peer has told of its regions.
     *
     * @throws ProtocolException if it was not asked for
     */
    void greeted() {
        if (phase != Phase.GREETING) {
            throw new ProtocolException("it says that it has resumed, and nothing was interrupted");
        }
        phase = Phase.REPLAYING;
        if (!isConnectingSide()) {
            channel.notices().resumed(channel.regions().notices());
        }
        replay.begin();
        for (RemoteRegion gone : channel.regions().settle()) {
            channel.handler().onRegionRevoked(channel, gone);
        }
    }

    /** Goes on with what is left to do; says whether something has to wait. */
    boolean proceed() {
        if (phase != Phase.REPLAYING) {
            return false;
        }
        if (!replay.proceed()) {
            return true;
        }
        end();
        return false;
    }

    /** No attempt has led to anything. */
    void giveUp(ChannelException reason) {
        if (phase != Phase.NONE && !channel.state().isOver()) {
            channel.life().giveUp(reason);
        }
    }

    /** How often this side has tried, in one recovery or in all. */
    private int attempts() {
        return (int) Math.min(epoch.get(), Integer.MAX_VALUE);
    }

    /** An attempt to return to RDMA has failed; the channel may have lost its link by it. */
    void returnFailed(ChannelException reason) {
        running = null;
        returnsFailed = Math.min(returnsFailed + 1, RETURN_DOUBLINGS);
        LOGGER.debug("{}: RDMA cannot be used again yet: {}", channel, reason.getMessage());
        if (phase == Phase.SUSPENDED) {
            start(new Reconnection(channel, transport(), false));
        } else if (phase == Phase.NONE && channel.state() == ChannelState.DEGRADED) {
            scheduleReturn();
        }
    }

    /** An attempt has ended before it began, since a return is of no use any more; the link may be lost by now. */
    void notWanted(Reconnection attempt) {
        if (running == attempt) {
            running = null;
            if (phase == Phase.SUSPENDED && isInTime()) {
                start(new Reconnection(channel, transport(), false));
            }
        }
    }

    /** The channel ends. */
    void cancel() {
        Reconnection attempt = running;
        running = null;
        if (attempt != null) {
            attempt.cancel();
        }
        cancel(deadline);
        cancel(comeBack);
        if (phase != Phase.NONE) {
            channel.counters().count(ChannelCounter.FAILED_RECOVERIES);
            report.end(channel, cause, attempts(), ChannelState.FAILED);
        }
        phase = Phase.NONE;
    }

    private void end() {
        phase = Phase.NONE;
        cancel(deadline);
        deadline = null;
        boolean degraded = first == Transport.RDMA && channel.transport() == Transport.TCP;
        ChannelState next = degraded ? ChannelState.DEGRADED : ChannelState.CONNECTED;
        count(next);
        report.end(channel, cause, attempts(), next);
        channel.life().recovered(next);
        before = next;
        LOGGER.info(
                "{}: connected anew after {} ms",
                channel,
                Duration.ofNanos(channel.loop().timers().now() - beganNanos).toMillis());
        if (degraded && isConnectingSide()) {
            scheduleReturn();
        } else if (!degraded) {
            returnsFailed = 0;
        }
    }

    private void count(ChannelState next) {
        channel.counters().count(ChannelCounter.ENDED_RECOVERIES);
        if (next != before) {
            boolean isDegradation = next == ChannelState.DEGRADED;
            channel.counters().count(isDegradation ? ChannelCounter.DEGRADATIONS : ChannelCounter.RETURNS);
        }
    }

    private void scheduleReturn() {
        long pause = config.returnInterval().toNanos() << returnsFailed;
        comeBack = channel.loop().timers().schedule(pause, () -> {
            if (channel.state() == ChannelState.DEGRADED && running == null) {
                start(new Reconnection(channel, Transport.RDMA, true));
            }
        });
    }

    private void start(Reconnection attempt) {
        running = attempt;
        attempt.start();
    }

    private boolean isInTime() {
        ChannelState state = channel.state();
        return state.isOpen()
                || state == ChannelState.RECOVERING
                || channel.life().isLingering();
    }

    private boolean isConnectingSide() {
        return channel.setup().resumable().orElseThrow().listener().isPresent();
    }

    private Transport transport() {
        return config.recovery() == RecoveryPolicy.DEGRADE ? Transport.TCP : first;
    }

    private ChannelException late() {
        String advice = isConnectingSide()
                ? "the peer could not be reached"
                : "the peer has not connected anew; it is gone, or cannot reach the listener";
        return new ChannelException(
                cause.reason(),
                "not recovered within recoveryTimeout, which is " + config.recoveryTimeout() + ": " + advice
                        + ". It began with: " + cause.getMessage(),
                cause);
    }

    private static void cancel(Timers.Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.channel.protocol.RegionNotice;
import io.rdmachannel.mempool.Lease;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a channel: what comes from its link and control connection, how it fails, and how it closes. All but
 * {@link #state}, {@link #failure} and {@link #close} belongs to the event loop's thread.
 */
final class ChannelLife implements LinkEvents, Incoming.Receiver, ChannelStates.Listener {
    private static final Logger LOGGER = LoggerFactory.getLogger(ChannelLife.class);
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ChannelCore channel;
    private final ChannelSetup setup;
    private final EventLoop loop;
    private final ChannelStates states = new ChannelStates(this);
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile ChannelException failure;
    private long culprit;
    private boolean linkEnded;
    private boolean freed;
    /** Whether the device has refused to let go of the link, so that buffers are still out. */
    private boolean unclosed;

    /** Why the channel fails at the end of this poll, unless its link has failed by then. */
    private ChannelException lost;

    private boolean peerEnded;
    private boolean endPosted;
    private boolean peerSaidGoodbye;
    private boolean touched;
    private boolean listed;
    private Timers.Timer retry;
    private Timers.Timer linger;
    private Timers.Timer lastFrame;
    private long arrivals;

    ChannelLife(ChannelCore channel, ChannelSetup setup) {
        this.channel = channel;
        this.setup = setup;
        this.loop = setup.loop();
    }

    void begin() {
        loop.add(this);
        setup.control().watch(end -> loop.executeUnlessClosed(() -> controlEnded(end)));
        states.move(ChannelState.CONNECTED);
        setup.fallbackReason().ifPresent(reason -> LOGGER.info("{}, and not over RDMA: {}", channel, reason));
    }

    ChannelState state() {
        return states.now();
    }

    Optional<ChannelException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void frameArrived(Lease receive, long payloadBytes) {
        setup.receives().used(receive);
        arrivals++;
        if (linkEnded) {
            setup.receives().drop(receive);
            return;
        }
        loop.attend(this);
        try {
            channel.incoming().frame(receive, payloadBytes);
        } catch (ProtocolException wrong) {
            setup.receives().drop(receive);
            peerErred(wrong);
        } catch (RuntimeException | Error thrown) {
            handlerThrew(thrown);
        }
    }

    @Override
    public void immediateArrived(Lease receive, int immediate, long length) {
        setup.receives().used(receive);
        arrivals++;
        if (linkEnded) {
            setup.receives().drop(receive);
            return;
        }
        loop.attend(this);
        try {
            channel.incoming().immediate(receive, immediate, length);
        } catch (ProtocolException wrong) {
            setup.receives().drop(receive);
            peerErred(wrong);
        } catch (RuntimeException | Error thrown) {
            handlerThrew(thrown);
        }
    }

    @Override
    public void postsEnded(long upTo) {
        if (linkEnded) {
            return;
        }
        loop.attend(this);
        try {
            channel.outgoing().ended(upTo);
            channel.oneSided().ended(upTo);
            channel.incoming().ended(upTo);
        } catch (RuntimeException | Error thrown) {
            handlerThrew(thrown);
        }
    }

    @Override
    public void failed(ChannelException cause, long culpritPost) {
        if (endPosted) {
            peerSaidGoodbye = true;
            loop.attend(this);
            return;
        }
        culprit = culpritPost;
        fail(cause);
    }

    @Override
    public void message(Lease lease, long length) {
        channel.handler().onMessage(channel, lease.segment(), 0, length);
    }

    @Override
    public void immediate(int value, long length) {
        channel.handler().onWriteWithImmediate(channel, value, length);
    }

    @Override
    public RemoteRegion regionChanged(RegionNotice notice, boolean exposed) {
        Regions regions = channel.regions();
        return exposed ? regions.peerExposed(notice) : regions.peerRevoked(notice);
    }

    @Override
    public void region(RemoteRegion region, boolean exposed) {
        if (exposed) {
            channel.handler().onRegionExposed(channel, region);
        } else {
            channel.handler().onRegionRevoked(channel, region);
        }
    }

    /** The peer has closed in good order: nothing that is sent from here on would be handled. */
    @Override
    public void end() {
        peerEnded = true;
        if (states.now().isOpen()) {
            states.move(ChannelState.CLOSING);
        }
    }

    @Override
    public void moved(ChannelState before, ChannelState now) {
        LOGGER.debug("{}", channel);
        ChannelHandler handler = channel.handler();
        try {
            handler.onStateChange(channel, before, now);
        } catch (RuntimeException thrown) {
            LOGGER.error("{}: the handler threw an exception out of onStateChange", channel, thrown);
        }
    }

    private boolean attend(boolean idle) {
        if (freed) {
            return false;
        }
        if (lost != null) {
            fail(lost);
        }
        boolean waits = !linkEnded && proceed(idle);
        if (linkEnded || isDrained()) {
            free();
            return false;
        }
        return waits;
    }

    /** Puts it on the loop's list; says whether it was not there. */
    boolean touch() {
        touched = true;
        boolean first = !listed;
        listed = true;
        return first;
    }

    /** Does what is left to do at the end of a poll; says whether it stays on the loop's list. */
    boolean attend() {
        boolean idle = !touched;
        touched = false;
        listed = attend(idle) || touched;
        return listed;
    }

    /** Closes from any thread: see {@link io.rdmachannel.channel.RdmaChannel#close}. */
    void close() {
        if (loop.isOwner()) {
            startClosing();
            if (!loop.isPolling()) {
                loop.pollUntil(() -> freed, setup.config().lingerTimeout().plus(Duration.ofNanos(GRACE_NANOS)));
                loop.closeIfUnused();
            }
        } else if (states.now() != ChannelState.CLOSED) {
            loop.executeUnlessClosed(this::startClosing);
            awaitOver();
        }
    }

    /** Ends without lingering, in the loop's thread: the loop is being closed. */
    void closeNow() {
        if (!freed) {
            if (states.now().isOpen()) {
                states.move(ChannelState.CLOSING);
            }
            free();
        }
    }

    private boolean proceed(boolean idle) {
        boolean waits = goOn();
        if (linkEnded) {
            return false;
        }
        channel.outgoing().acknowledge(idle);
        if (states.now() == ChannelState.CLOSING && !peerEnded && !endPosted && isDelivered()) {
            endPosted = channel.outgoing().end();
            waits |= !endPosted;
        }
        channel.link().flush();
        if (states.now() == ChannelState.CLOSING) {
            // Its last frame needs no answer that would have it polled.
            channel.link().poll();
        }
        if (waits && retry == null) {
            // What is waited for may come from another thread, such as a lease that a user releases.
            retry = loop.timers().schedule(RETRY_NANOS, this::tryAgain);
        }
        return !idle;
    }

    /** Goes on with what had to wait; says whether something still does. */
    private boolean goOn() {
        try {
            boolean waits = channel.incoming().proceed();
            waits |= channel.asyncQueue().proceed();
            return waits | channel.sendRevocations();
        } catch (ProtocolException wrong) {
            peerErred(wrong);
        } catch (RuntimeException | Error thrown) {
            handlerThrew(thrown);
        }
        return false;
    }

    private void tryAgain() {
        retry = null;
        loop.attend(this);
    }

    private boolean isDelivered() {
        return channel.outgoing().isAcknowledged()
                && channel.oneSided().isEmpty()
                && channel.asyncQueue().isEmpty();
    }

    private boolean isDrained() {
        return states.now() == ChannelState.CLOSING && (peerEnded || endPosted && peerSaidGoodbye);
    }

    private void startClosing() {
        if (states.now().isOpen()) {
            states.move(ChannelState.CLOSING);
            linger = loop.timers().schedule(setup.config().lingerTimeout().toNanos(), this::stopLingering);
            loop.attend(this);
        } else if (states.now() == ChannelState.FAILED) {
            free();
            closeAgain();
            if (!unclosed) {
                states.move(ChannelState.CLOSED);
            }
        }
    }

    private void stopLingering() {
        if (!freed) {
            if (!endPosted) {
                LOGGER.info("{}: closed with messages undelivered, since lingerTimeout is over", channel);
            }
            free();
        }
    }

    private void controlEnded(ControlEnd end) {
        if (freed || linkEnded) {
            return;
        }
        loop.attend(this);
        if (end != ControlEnd.BROKEN || endPosted) {
            peerSaidGoodbye = true;
            awaitLastFrame(end);
            return;
        }
        // The data path is polled next, and may know better why.
        lost = new ChannelException(
                Reason.PEER_GONE,
                "the control connection to " + setup.control().peer()
                        + " has ended without a goodbye: the peer's process has ended, or the network is cut");
    }

    /**
     * After a goodbye the peer's last frame is on the other path already. Whatever came of that path by the time a
     * timer is looked at has been told, so when nothing has come since the timer was set there is no such frame. It is
     * the last one also in that nothing before it still waits to be fetched.
     */
    private void awaitLastFrame(ControlEnd end) {
        long before = arrivals;
        lastFrame = loop.timers().schedule(GRACE_NANOS, () -> {
            if (arrivals != before) {
                awaitLastFrame(end);
            } else if (!peerEnded && !endPosted) {
                fail(new ChannelException(Reason.PEER_GONE, withoutLastFrame(end)));
            }
        });
    }

    private String withoutLastFrame(ControlEnd end) {
        String peer = "the peer at " + setup.control().peer();
        return end == ControlEnd.DISCONNECTED
                ? peer + " has disconnected without a last frame: its process has ended, or the network is cut"
                : peer + " has said goodbye, and its last frame has not come: the data path between the two is broken";
    }

    private void peerErred(ProtocolException wrong) {
        fail(new ChannelException(Reason.PROTOCOL, "the peer does not keep to the protocol: " + wrong.getMessage()));
    }

    private void handlerThrew(Throwable thrown) {
        LOGGER.error("{}: the handler threw an exception, which ends the channel", channel, thrown);
        fail(new ChannelException(Reason.HANDLER, "the channel's handler threw " + thrown, thrown));
    }

    /** The first failure counts. The link is closed at the end of the poll, since it is calling now. */
    private void fail(ChannelException cause) {
        if (linkEnded || freed) {
            return;
        }
        linkEnded = true;
        failure = cause;
        LOGGER.warn("{} failed: {}", channel, cause.getMessage());
        loop.attend(this);
    }

    private void free() {
        if (freed) {
            return;
        }
        freed = true;
        linkEnded = true;
        Stream.of(retry, linger, lastFrame).filter(Objects::nonNull).forEach(Timers.Timer::cancel);
        boolean closed = closeLink();
        // The state comes first: a handler that sends again when it is told of an end must be refused.
        if (failure != null) {
            states.move(ChannelState.FAILED);
        }
        unclosed = !closed;
        if (closed) {
            giveBack();
        }
        setup.control().end(endPosted || peerEnded);
        loop.remove(this);
        if (failure == null) {
            states.move(ChannelState.CLOSED);
        }
        over.countDown();
    }

    /** What the device has refused once it may do now. */
    private void closeAgain() {
        if (unclosed && closeLink()) {
            unclosed = false;
            giveBack();
        }
    }

    /** Says whether nothing uses the channel's buffers any more. */
    private boolean closeLink() {
        try {
            channel.regions().close();
            channel.link().close();
            return true;
        } catch (RuntimeException refused) {
            LOGGER.error("{}: its buffers stay out, since the device may still use them", channel, refused);
            if (failure == null) {
                failure = new ChannelException(Reason.TRANSPORT, "the link could not be closed: " + refused, refused);
            }
            return false;
        }
    }

    private void giveBack() {
        channel.claimed().abort();
        channel.incoming().cancel();
        boolean refused = failure != null && failure.reason() == Reason.REMOTE_ACCESS;
        Outcome outcome = refused ? Outcome.REMOTE_ACCESS_ERROR : Outcome.CANCELLED;
        while (!channel.oneSided().isEmpty()) {
            guardedEnd(() -> channel.oneSided().cancel(culprit, outcome));
        }
        while (!channel.outgoing().isEmpty()) {
            guardedEnd(() -> channel.outgoing().cancel());
        }
        channel.outgoing().cancel();
        channel.asyncQueue().cancel();
        setup.receives().close();
    }

    private void guardedEnd(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException thrown) {
            LOGGER.error("{}: the handler threw an exception out of onCompletion", channel, thrown);
        }
    }

    private void awaitOver() {
        long nanos = setup.config()
                .lingerTimeout()
                .plus(Duration.ofNanos(GRACE_NANOS))
                .toNanos();
        try {
            if (!over.await(nanos, TimeUnit.NANOSECONDS)) {
                LOGGER.warn("{}: its poller has not closed it yet; does anybody poll?", channel);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

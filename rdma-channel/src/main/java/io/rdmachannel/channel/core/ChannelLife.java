// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.mempool.Lease;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a channel: what comes from its link and control connection, how it fails, and how it closes. All but
 * {@link #state}, {@link #failure} and {@link #close} belongs to the event loop's thread.
 */
final class ChannelLife implements LinkEvents, ChannelStates.Listener {
    private static final Logger LOGGER = LoggerFactory.getLogger(ChannelLife.class);
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ChannelCore channel;
    private final EventLoop loop;
    private final ControlWatch control;
    private final Holdings holdings;
    private final ChannelStates states = new ChannelStates(this);
    private final EndOfLife over;
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
    private long arrivals;
    private PathWatch path;
    private Runnable whenOver = () -> {};

    ChannelLife(ChannelCore channel, ChannelSetup setup) {
        this.channel = channel;
        this.loop = setup.loop();
        this.control = new ControlWatch(channel, this);
        this.holdings = new Holdings(channel);
        this.over = new EndOfLife(channel);
    }

    void begin() {
        loop.add(this);
        control.begin();
        path = new PathWatch(channel, channel.config().pathTimeout(), this::fail);
        path.begin();
        ChannelReport.begun(channel, channel.setup());
        states.move(ChannelState.CONNECTED);
    }

    /** Sets who is told of the end, at once if it is there already. */
    void whenOver(Runnable told) {
        if (freed) {
            told.run();
        } else {
            whenOver = told;
        }
    }

    /**
     * Closes the link and keeps everything else, for another link.
     *
     * @return whether the device has let go; else the channel fails
     */
    boolean suspend(ChannelException why) {
        linkEnded = true;
        if (!closeLink(false)) {
            loop.attend(this);
            return false;
        }
        failure = null;
        lost = null;
        culprit = 0;
        peerSaidGoodbye = false;
        control.cancel();
        channel.suspend();
        channel.recovery().begin(why);
        if (states.now().isOpen()) {
            states.move(ChannelState.RECOVERING);
        }
        return true;
    }

    /**
     * Goes on with another link.
     *
     * @throws ProtocolException if the peer says what cannot be
     */
    void resume(Candidate candidate, Delivered peer) {
        linkEnded = false;
        Link link = candidate.adopt(this);
        channel.resume(candidate.setup(), link, peer);
        control.begin();
        loop.attend(this);
    }

    /** All is as usual again. */
    void recovered(ChannelState next) {
        if (states.now() == ChannelState.RECOVERING) {
            states.move(next);
            if (peerEnded) {
                states.move(ChannelState.CLOSING);
            }
        }
        loop.attend(this);
    }

    /** Fails at last; not while the link is calling. */
    void giveUp(ChannelException reason) {
        if (!freed) {
            linkEnded = true;
            failure = reason;
            free();
        }
    }

    ChannelState state() {
        return states.now();
    }

    Counters counters() {
        return channel.counters();
    }

    Optional<ChannelException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void frameArrived(Lease receive, long payloadBytes) {
        channel.setup().receives().used(receive);
        arrivals++;
        if (linkEnded) {
            channel.setup().receives().drop(receive);
            return;
        }
        loop.attend(this);
        try {
            channel.incoming().frame(receive, payloadBytes);
        } catch (ProtocolException wrong) {
            channel.setup().receives().drop(receive);
            peerErred(wrong);
        } catch (RuntimeException | Error thrown) {
            handlerThrew(thrown);
        }
    }

    @Override
    public void immediateArrived(Lease receive, int immediate, long length) {
        channel.setup().receives().used(receive);
        arrivals++;
        if (linkEnded) {
            channel.setup().receives().drop(receive);
            return;
        }
        loop.attend(this);
        try {
            channel.incoming().immediate(receive, immediate, length);
        } catch (ProtocolException wrong) {
            channel.setup().receives().drop(receive);
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

    /** Where nothing follows a failure, an idle channel may better outlive it unnoticed. */
    @Override
    public void portDown() {
        if (!linkEnded && channel.setup().resumable().isPresent()) {
            path.suspect();
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

    /** Whether nothing can come of the link any more. */
    boolean isLinkOver() {
        return linkEnded || freed;
    }

    boolean isEndPosted() {
        return endPosted;
    }

    boolean isPeerEnded() {
        return peerEnded;
    }

    /** How much has arrived. */
    long arrivals() {
        return arrivals;
    }

    /** The peer will send nothing more beside the data path. */
    void goodbye() {
        peerSaidGoodbye = true;
    }

    /** Fails at the end of this poll: the data path, which is polled before, may know better why. */
    void lose(ChannelException why) {
        lost = why;
    }

    /** The peer has closed in good order: nothing that is sent from here on would be handled. */
    void peerEnded() {
        peerEnded = true;
        if (states.now().isOpen()) {
            states.move(ChannelState.CLOSING);
        }
    }

    @Override
    public void moved(ChannelState before, ChannelState now) {
        ChannelReport.moved(channel, channel.setup(), before, now);
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
        if (linkEnded && recovers()) {
            return false;
        }
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
                loop.pollUntil(() -> freed, channel.config().lingerTimeout().plus(Duration.ofNanos(GRACE_NANOS)));
                loop.closeIfUnused();
            }
        } else if (states.now() != ChannelState.CLOSED) {
            loop.executeUnlessClosed(this::startClosing);
            over.await(Duration.ofNanos(GRACE_NANOS));
        }
    }

    /** Ends without lingering, in the loop's thread: the loop is being closed. */
    void closeNow() {
        if (!freed) {
            if (states.now() != ChannelState.CLOSING) {
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
        if (channel.outgoing().acknowledge(idle)) {
            channel.counters().count(ChannelCounter.ACKNOWLEDGEMENT_FRAMES);
        }
        boolean mayEnd = states.now() == ChannelState.CLOSING && !peerEnded && !endPosted;
        if (mayEnd && isDelivered() && !channel.recovery().isUnderWay()) {
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
            retry = loop.timers().schedule(RETRY_NANOS, () -> {
                retry = null;
                loop.attend(this);
            });
        }
        return !idle;
    }

    /** Goes on with what had to wait; says whether something still does. */
    private boolean goOn() {
        try {
            boolean waits = channel.incoming().proceed();
            waits |= channel.asyncQueue().proceed();
            waits |= channel.sendNotices();
            return waits | channel.recovery().proceed();
        } catch (ProtocolException wrong) {
            peerErred(wrong);
        } catch (RuntimeException | Error thrown) {
            handlerThrew(thrown);
        }
        return false;
    }

    private boolean isDelivered() {
        return channel.outgoing().isAcknowledged()
                && channel.oneSided().isEmpty()
                && channel.asyncQueue().isEmpty();
    }

    /** Whether it is being closed, and has something to deliver, for which it may be connected anew. */
    boolean isLingering() {
        return states.now() == ChannelState.CLOSING && !peerEnded && !endPosted && !isDelivered();
    }

    private boolean isDrained() {
        return states.now() == ChannelState.CLOSING && (peerEnded || endPosted && peerSaidGoodbye);
    }

    private void startClosing() {
        boolean recovering = states.now() == ChannelState.RECOVERING;
        if (states.now().isOpen() || recovering) {
            states.move(ChannelState.CLOSING);
            linger = loop.timers().schedule(channel.config().lingerTimeout().toNanos(), this::stopLingering);
            loop.attend(this);
            // What waited for room, and has not begun, is refused from here on.
            channel.asyncQueue().proceed();
            if (recovering && !isLingering()) {
                free();
            }
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
                LOGGER.warn("{}: closed with messages undelivered, since lingerTimeout is over", channel);
            }
            free();
        }
    }

    /** Whether another link is waited for. */
    private boolean recovers() {
        Recovery recovery = channel.recovery();
        return recovery.isSuspended() || failure != null && recovery.isPossible(failure) && suspend(failure);
    }

    private void peerErred(ProtocolException wrong) {
        fail(new ChannelException(Reason.PROTOCOL, "the peer does not keep to the protocol: " + wrong.getMessage()));
    }

    private void handlerThrew(Throwable thrown) {
        LOGGER.error("{}: the handler threw an exception, which ends the channel", channel, thrown);
        fail(new ChannelException(Reason.HANDLER, "the channel's handler threw " + thrown, thrown));
    }

    /** The first failure counts. The link is closed at the end of the poll, since it is calling now. */
    void fail(ChannelException cause) {
        if (linkEnded || freed) {
            return;
        }
        linkEnded = true;
        failure = cause;
        LOGGER.debug("{}: {}", channel, cause.getMessage());
        loop.attend(this);
    }

    private void free() {
        if (freed) {
            return;
        }
        freed = true;
        linkEnded = true;
        control.cancel();
        Stream.of(retry, linger).filter(Objects::nonNull).forEach(Timers.Timer::cancel);
        if (path != null) {
            path.end();
        }
        channel.recovery().cancel();
        boolean closed = closeLink(true);
        if (failure != null) {
            LOGGER.warn("{} failed: {}", channel, failure.getMessage());
        }
        // The state comes first: a handler that sends again when it is told of an end must be refused.
        if (failure != null) {
            states.move(ChannelState.FAILED);
        }
        unclosed = !closed;
        if (closed) {
            giveBack();
        }
        control.close(endPosted || peerEnded, failure);
        loop.remove(this);
        if (failure == null) {
            states.move(ChannelState.CLOSED);
        }
        over.hasCome();
        whenOver.run();
    }

    /** What the device has refused once it may do now. */
    private void closeAgain() {
        if (unclosed && closeLink(true)) {
            unclosed = false;
            giveBack();
            loop.counters().remove(counters());
        }
    }

    /** Says whether nothing uses the channel's buffers any more. */
    private boolean closeLink(boolean forGood) {
        RuntimeException refused = holdings.closeLink(forGood);
        if (refused == null && failure != null) {
            // What an orderly end flushes is no consequence of a failure.
            holdings.countFlushed();
        }
        if (refused != null && failure == null) {
            failure = new ChannelException(Reason.TRANSPORT, "the link could not be closed: " + refused, refused);
        }
        return refused == null;
    }

    private void giveBack() {
        boolean refused = failure != null && failure.reason() == Reason.REMOTE_ACCESS;
        holdings.giveBack(culprit, refused ? Outcome.REMOTE_ACCESS_ERROR : Outcome.CANCELLED);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.core.CommonReceives;
import io.rdmachannel.channel.core.Link;
import io.rdmachannel.channel.core.LinkEvents;
import io.rdmachannel.channel.core.QueuePairLink;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.verbs.AsyncEvent;
import io.rdmachannel.verbs.AsyncEventType;
import io.rdmachannel.verbs.AtomicCapability;
import io.rdmachannel.verbs.DeviceAttributes;
import io.rdmachannel.verbs.PortAttributes;
import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.RdmaException;
import io.rdmachannel.verbs.VerbsException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A source's device from when it is opened until it is closed, with the links that go over it: one completion queue and
 * the channel on which it can be waited for, a protection domain, the receives that links share.
 *
 * <p>{@link #prepare}, {@link #ports}, {@link #abandon} and {@link #wakeUp} may be called by any thread, {@link #await}
 * by the one that sleeps; the rest belongs to the owner, the event loop's thread.
 */
final class OpenDevice {
    private static final Logger LOGGER = LoggerFactory.getLogger(RdmaSource.class);
    /** Whoever can guess a packet sequence number can forge packets more easily. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int READS_MAX = 255;
    private static final long PIECE_BYTES_MAX = 1L << 30;

    private final RdmaSource source;
    private final SourceResources resources;
    private final int port;
    private final Admission admission;
    private final CompletionDispatch dispatch;
    /** Null when each link has receives of its own. */
    private final SharedReceiveRing shared;

    private final long pieceBytes;
    private final AtomicInteger tags = new AtomicInteger();
    private final DeviceEvents events;
    private volatile boolean broken;
    /** What all links are told of it; null when it works, or each is told by the queue itself. */
    private Function<String, ChannelException> breakage;

    /** Some of it may be closed already, so nothing is asked of it any more but to be closed. */
    private volatile boolean ending;

    /** Takes resources over, which belong to the calling thread until {@link #handOver}. */
    OpenDevice(RdmaSource source, SourceResources resources, int port) {
        this.source = source;
        this.resources = resources;
        this.port = port;
        this.shared = resources.sharedReceives();
        this.admission = new Admission(resources.queue().capacity());
        this.dispatch = new CompletionDispatch(resources.queue(), shared, admission, this::queueFailed);
        long longest = resources.context().port(port).maxMessageSize();
        this.pieceBytes = Math.clamp(longest, 1, PIECE_BYTES_MAX);
        this.events = new DeviceEvents(resources.context(), source::wakeUp);
    }

    /**
     * Posts all receives that links share, before there is a link.
     *
     * @throws ChannelException if they do not fit into the completion queue, or the device refuses
     */
    void share(CommonReceives receives) {
        admission.take(receives.count());
        shared.account(receives);
        receives.fill(shared::supply);
        int result = shared.submit();
        if (result != PostResult.POSTED) {
            throw new ChannelException(
                    ChannelException.Reason.TRANSPORT,
                    receives + " were refused by " + source + ": " + PostResult.describe(result));
        }
    }

    /** Puts a buffer where the arrivals of all links find it. */
    void supplyShared(Lease lease) {
        if (ending) {
            lease.release();
        } else {
            shared.supply(lease);
        }
    }

    void handOver(Thread owner) {
        resources.handOver(owner);
    }

    ProtectionDomain domain() {
        return resources.domain();
    }

    /** The ports with their present states and GIDs. */
    List<PortCandidate> ports() {
        return PortCandidate.of(resources.context());
    }

    /** Whether nothing can come of it any more, and it is to be closed once it has no links. */
    boolean isBroken() {
        return broken;
    }

    /** Whether its closing has begun. */
    boolean isEnding() {
        return ending;
    }

    boolean hasLinks() {
        return dispatch.hasLinks();
    }

    /**
     * Makes a queue pair in state INIT, which belongs to the calling thread.
     *
     * @param now the port and GID that it uses
     * @throws ChannelException if there is no room for its completions, or the device refuses
     */
    QueuePairLink prepare(ChannelConfig config, DeviceChoice now) {
        int completions = Endpoint.completions(config, shared);
        admission.take(completions);
        Endpoint endpoint = null;
        try {
            int tag = Math.floorMod(tags.getAndIncrement(), SharedReceiveRing.TAG);
            endpoint = Endpoint.create(resources.domain(), resources.queue(), shared, config, tag);
            dispatch.expect(endpoint.queuePair().number());
            return pending(endpoint, config, now, completions);
        } catch (RuntimeException | Error failure) {
            if (endpoint != null) {
                dispatch.forget(endpoint.queuePair().number());
                endpoint.queuePair().close();
            }
            admission.release(completions);
            throw failure;
        }
    }

    int poll() {
        if (ending) {
            return 0;
        }
        int count = dispatch.poll();
        if (events.arePending()) {
            count += tellEvents();
        }
        if (shared != null && shared.hasStaged()) {
            // What is refused stays staged, and the next link that flushes fails by it.
            shared.submit();
        }
        return count;
    }

    /** With a queue that tells of nothing the links would be slept through, so they fail. */
    void arm() {
        if (ending) {
            return;
        }
        try {
            resources.queue().requestNotification(false);
        } catch (VerbsException refused) {
            if (dispatch.queueFailed(-refused.errno()) > 0) {
                LOGGER.warn("{}: {}", source, refused.getMessage());
            }
        }
    }

    /** Sleeps until there may be a completion; returns at once when it is closed, or the kernel has taken it away. */
    void await(long nanos) {
        try {
            resources.channel().await(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (IllegalStateException | VerbsException gone) {
            LOGGER.debug("{}: nothing can be waited for: {}", source, gone.getMessage());
        }
    }

    void wakeUp() {
        try {
            resources.channel().wakeUp();
        } catch (IllegalStateException expected) {
            // Closed in this moment, and nobody sleeps there any more.
        }
    }

    /** In the owner's thread. */
    Link begin(Endpoint endpoint, LinkEvents told, int completions) {
        source.leave();
        RdmaLink link = new RdmaLink(this, endpoint, told, completions);
        if (dispatch.add(link)) {
            wakeUp();
        }
        if (breakage != null) {
            link.eventTold(breakage);
        }
        return link;
    }

    /** Destroys a queue pair, of which completions may be in the queue. Any thread. */
    void abandon(Endpoint endpoint, int completions) {
        dispatch.forget(endpoint.queuePair().number());
        try {
            // Where that is refused it is closed with the device.
            endpoint.queuePair().close();
        } finally {
            admission.retire(completions);
            source.leave();
            wakeUp();
        }
    }

    /** The queue pair is destroyed. */
    void end(RdmaLink link, int completions, boolean drained) {
        if (dispatch.remove(link)) {
            wakeUp();
        }
        if (drained) {
            admission.release(completions);
        } else {
            admission.retire(completions);
        }
    }

    int drain(RdmaLink link) {
        return dispatch.drain(link);
    }

    void expectSettling() {
        dispatch.expectSettling();
    }

    long pieceBytes() {
        return pieceBytes;
    }

    /**
     * Begins to close: nothing is asked of it any more, and the receives are taken back that links share. There are no
     * links any more.
     *
     * @throws RdmaException if the device refuses; it can be repeated
     */
    void beginClosing() {
        ending = true;
        resources.closeShared();
    }

    /**
     * Closes all else.
     *
     * @throws RdmaException if the device refuses; close can be repeated
     */
    void close() {
        resources.close();
        events.join();
    }

    @Override
    public String toString() {
        return source.toString();
    }

    private void queueFailed() {
        broken = true;
    }

    /** Fails the links there are, and those that begin later, having been made before. */
    private void breakDown(Function<String, ChannelException> failure) {
        broken = true;
        breakage = failure;
        dispatch.failed(failure);
    }

    /** What a completion tells better has been told before. */
    private int tellEvents() {
        int count = 0;
        for (AsyncEvent event = events.next(); event != null; event = events.next()) {
            tell(event);
            count++;
        }
        if (events.isRemoved() && !broken) {
            LOGGER.warn("{}: the device is being removed", source);
            breakDown(CompletionFailure::ofRemoval);
            count++;
        }
        return count;
    }

    private void tell(AsyncEvent event) {
        Level level = event.type() == AsyncEventType.PORT_ACTIVE ? Level.INFO : Level.WARN;
        LOGGER.atLevel(level)
                .log("{}: {}{}", source, event.type(), event.port() == 0 ? "" : " of port " + event.port());
        switch (event.type()) {
            case QUEUE_PAIR_FATAL, QUEUE_PAIR_REQUEST_ERROR, QUEUE_PAIR_ACCESS_ERROR ->
                event.element().ifPresent(pair -> dispatch.failed((QueuePair) pair, event.type()));
            case COMPLETION_QUEUE_ERROR, DEVICE_FATAL, SHARED_RECEIVE_QUEUE_ERROR, WORK_QUEUE_FATAL ->
                breakDown(link -> CompletionFailure.ofEvent(link, event.type()));
            case PORT_ERROR -> {
                if (event.port() == port) {
                    dispatch.portDown();
                }
            }
            default -> LOGGER.debug("{}: nothing to do about {}", source, event.type());
        }
    }

    private QueuePairLink pending(Endpoint endpoint, ChannelConfig config, DeviceChoice now, int completions) {
        DeviceAttributes device = resources.context().attributes();
        QueuePairMoves moves = new QueuePairMoves(now, config);
        QueuePair pair = endpoint.queuePair();
        try {
            pair.modify(moves.toInit(device.atomicCapability() != AtomicCapability.NONE));
            return new RdmaPendingLink(this, endpoint, moves, describe(pair, device, now), completions);
        } catch (RdmaException refused) {
            throw new ChannelException(
                    ChannelException.Reason.UNAVAILABLE,
                    "no queue pair on " + now + ": " + refused.getMessage(),
                    refused);
        }
    }

    private EndDescription describe(QueuePair pair, DeviceAttributes device, DeviceChoice now) {
        PortAttributes port = resources.context().port(now.port());
        DeviceAttributes.ReadLimits reads = device.readLimits();
        return new EndDescription(
                pair.number(),
                RANDOM.nextInt(EndDescription.SEQUENCE_NUMBERS),
                now.gid(),
                port.lid(),
                port.activeMtu(),
                now.ethernet(),
                Math.clamp(reads.maxPerQueuePair(), 1, READS_MAX),
                Math.clamp(reads.maxInitiatedPerQueuePair(), 1, READS_MAX));
    }
}

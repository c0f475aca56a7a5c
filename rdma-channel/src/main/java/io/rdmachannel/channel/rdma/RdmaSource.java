// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.DevicePreview;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.channel.core.CommonReceives;
import io.rdmachannel.channel.core.Link;
import io.rdmachannel.channel.core.LinkEvents;
import io.rdmachannel.channel.core.LinkSource;
import io.rdmachannel.channel.core.QueuePairLink;
import io.rdmachannel.mempool.RegisteredMemoryPool;
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
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What all RDMA links of an event loop on one device share: the open device, a protection domain, the registered pool,
 * one completion queue and the channel on which it can be waited for.
 *
 * <p>{@link #prepare}, {@link #matches}, {@link #pool} and {@link #wakeUp} may be called by any thread; the rest
 * belongs to the owner, the event loop's thread.
 */
public final class RdmaSource implements LinkSource {
    private static final Logger LOGGER = LoggerFactory.getLogger(RdmaSource.class);
    /** Whoever can guess a packet sequence number can forge packets more easily. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int READS_MAX = 255;
    private static final long PIECE_BYTES_MAX = 1L << 30;

    private final DeviceChoice choice;
    /** The name of the protection domain, which may be empty. */
    private final String domainName;

    private final SourceResources resources;
    private final Admission admission;
    private final CompletionDispatch dispatch;
    /** Null when each link has receives of its own, as is the next one. */
    private final SharedReceiveRing shared;

    private final CommonReceives common;
    private final long pieceBytes;
    private final AtomicInteger links = new AtomicInteger();
    /** Queue pairs that belong to the threads of handshakes; also the lock that lets none begin when it is closed. */
    private final AtomicInteger handshakes = new AtomicInteger();

    private final DeviceEvents events;

    private volatile boolean closed;

    private RdmaSource(PollerConfig poller, DeviceChoice choice, String domainName, SourceResources resources) {
        this.choice = choice;
        this.domainName = domainName;
        this.resources = resources;
        this.shared = resources.sharedReceives();
        this.admission = new Admission(resources.queue().capacity());
        this.dispatch = new CompletionDispatch(resources.queue(), shared, admission);
        long longest = resources.context().port(choice.port()).maxMessageSize();
        this.pieceBytes = Math.clamp(longest, 1, PIECE_BYTES_MAX);
        this.common = poller.sharedReceives().map(this::share).orElse(null);
        this.events = new DeviceEvents(resources.context(), this::wakeUp);
    }

    /**
     * Opens the device that a connection uses. Looks through all devices, maps and registers memory: takes
     * milliseconds.
     *
     * @param poller the sizes of pool and completion queue
     * @param config names device, port and GID index, or leaves them open
     * @param local the local address of the control connection
     * @param owner the thread of the event loop
     * @return the source
     * @throws ChannelException (UNAVAILABLE) if there is no device that will do, or it grants too little
     */
    public static RdmaSource open(PollerConfig poller, ChannelConfig config, InetAddress local, Thread owner) {
        DeviceChoice choice = DeviceSearch.find(config, LocalAddress.of(local));
        SourceResources resources = SourceResources.open(poller, choice);
        try {
            RdmaSource source = new RdmaSource(poller, choice, config.protectionDomain(), resources);
            LOGGER.debug(
                    "{}: {} for local address {}, {} completions",
                    poller.name(),
                    source,
                    local.getHostAddress(),
                    resources.queue().capacity());
            // Last: whoever fails before must be able to close everything.
            resources.handOver(owner);
            return source;
        } catch (RuntimeException | Error failure) {
            resources.abandon();
            throw failure;
        }
    }

    /**
     * Tells which device, port and GID {@link #open} would use. Any thread.
     *
     * @param config names device, port and GID index, or leaves them open
     * @param local the local address of the control connection
     * @return the choice
     * @throws ChannelException (UNAVAILABLE) if there is no device that will do
     */
    public static DevicePreview preview(ChannelConfig config, InetAddress local) {
        DeviceChoice choice = DeviceSearch.find(config, LocalAddress.of(local));
        return new DevicePreview(choice.device(), choice.port(), Optional.ofNullable(choice.entry()));
    }

    /**
     * Says whether a link for another connection can come from here.
     *
     * @param config the other connection's configuration
     * @param local the local address of its control connection
     * @return true when it would use the same port and GID of the same device, and the same protection domain
     */
    public boolean matches(ChannelConfig config, InetAddress local) {
        if (!domainName.equals(config.protectionDomain())) {
            return false;
        }
        try {
            List<PortCandidate> ports = PortCandidate.of(resources.context());
            return DeviceChoice.among(ports, config, LocalAddress.of(local))
                    .filter(choice::equals)
                    .isPresent();
        } catch (RdmaException gone) {
            return false;
        }
    }

    /**
     * Makes a queue pair in state INIT, which belongs to the calling thread.
     *
     * @param config depths, inline bytes, timeouts
     * @return the link to be
     * @throws ChannelException (UNAVAILABLE) if the completion queue has no room for what it can have outstanding, or
     *     the device refuses
     */
    public QueuePairLink prepare(ChannelConfig config) {
        return prepare(config, choice);
    }

    /**
     * Makes a queue pair for a channel whose memory is here already, as {@link #prepare}; with the GID that serves now.
     *
     * @param config depths, inline bytes, timeouts, and the GID's index, if it is to be a certain one
     * @param local the local address of the present control connection
     * @return the link to be
     * @throws ChannelException (UNAVAILABLE) if the port is not active or has no GID that will do, and like prepare
     */
    public QueuePairLink prepareAnew(ChannelConfig config, InetAddress local) {
        ChannelConfig here =
                config.toBuilder().device(choice.device()).port(choice.port()).build();
        try {
            List<PortCandidate> ports = PortCandidate.of(resources.context());
            DeviceChoice now = DeviceChoice.among(ports, here, LocalAddress.of(local))
                    .orElseThrow(() -> new ChannelException(
                            ChannelException.Reason.UNAVAILABLE,
                            choice + ", which knows the channel's memory, is not active or has no usable GID now: "
                                    + ports));
            return prepare(config, now);
        } catch (ChannelException known) {
            throw known;
        } catch (RdmaException gone) {
            throw new ChannelException(
                    ChannelException.Reason.UNAVAILABLE, choice + " cannot be used: " + gone.getMessage(), gone);
        }
    }

    private QueuePairLink prepare(ChannelConfig config, DeviceChoice now) {
        int completions = Endpoint.completions(config, shared);
        synchronized (handshakes) {
            if (closed) {
                throw new ChannelException(ChannelException.Reason.CLOSED, this + " is closed");
            }
            handshakes.incrementAndGet();
        }
        try {
            return prepare(config, now, completions);
        } catch (RuntimeException | Error failure) {
            handshakes.decrementAndGet();
            throw failure;
        }
    }

    private QueuePairLink prepare(ChannelConfig config, DeviceChoice now, int completions) {
        admission.take(completions);
        Endpoint endpoint = null;
        try {
            int tag = Math.floorMod(links.getAndIncrement(), SharedReceiveRing.TAG);
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

    @Override
    public RegisteredMemoryPool pool() {
        return resources.pool();
    }

    @Override
    public CommonReceives commonReceives() {
        return common;
    }

    @Override
    public int poll() {
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
    @Override
    public void arm() {
        try {
            resources.queue().requestNotification(false);
        } catch (VerbsException refused) {
            if (dispatch.queueFailed(-refused.errno()) > 0) {
                LOGGER.warn("{}: {}", this, refused.getMessage());
            }
        }
    }

    /**
     * Sleeps until there may be a completion, with the resolution of a millisecond, rounded up.
     *
     * @param nanos how long at most; 0 or less only looks
     */
    @Override
    public void await(long nanos) {
        resources.channel().await(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    @Override
    public void wakeUp() {
        if (!closed) {
            try {
                resources.channel().wakeUp();
            } catch (IllegalStateException expected) {
                // Closed in this moment, and nobody sleeps there any more.
            }
        }
    }

    @Override
    public void close() {
        synchronized (handshakes) {
            if (handshakes.get() > 0) {
                throw new ChannelException(
                        ChannelException.Reason.BUSY,
                        handshakes + " handshakes are going on over " + this + "; close it again when they have ended,"
                                + " which is after handshakeTimeout at the latest");
            }
            closed = true;
        }
        if (shared != null) {
            shared.close();
            common.close();
        }
        resources.close();
        events.join();
    }

    @Override
    public String toString() {
        return "RDMA on " + choice + (domainName.isEmpty() ? "" : ", protection domain " + domainName);
    }

    ProtectionDomain domain() {
        return resources.domain();
    }

    /** In the owner's thread. */
    Link begin(Endpoint endpoint, LinkEvents events, int completions) {
        handshakes.decrementAndGet();
        RdmaLink link = new RdmaLink(this, endpoint, events, completions);
        if (dispatch.add(link)) {
            wakeUp();
        }
        return link;
    }

    /** Destroys a queue pair, of which completions may be in the queue. Any thread. */
    void abandon(Endpoint endpoint, int completions) {
        dispatch.forget(endpoint.queuePair().number());
        endpoint.queuePair().close();
        handshakes.decrementAndGet();
        admission.retire(completions);
        wakeUp();
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

    /** What a completion tells better has been told before. */
    private int tellEvents() {
        int count = 0;
        for (AsyncEvent event = events.next(); event != null; event = events.next()) {
            tell(event);
            count++;
        }
        return count;
    }

    private void tell(AsyncEvent event) {
        Level level = event.type() == AsyncEventType.PORT_ACTIVE ? Level.INFO : Level.WARN;
        LOGGER.atLevel(level).log("{}: {}{}", this, event.type(), event.port() == 0 ? "" : " of port " + event.port());
        switch (event.type()) {
            case QUEUE_PAIR_FATAL, QUEUE_PAIR_REQUEST_ERROR, QUEUE_PAIR_ACCESS_ERROR ->
                event.element().ifPresent(pair -> dispatch.failed((QueuePair) pair, event.type()));
            case COMPLETION_QUEUE_ERROR, DEVICE_FATAL, SHARED_RECEIVE_QUEUE_ERROR, WORK_QUEUE_FATAL ->
                dispatch.failed(event.type());
            default -> LOGGER.debug("{}: nothing to do about {}", this, event.type());
        }
    }

    private CommonReceives share(SharedReceives config) {
        admission.take(config.receives());
        CommonReceives receives = new CommonReceives(config, resources.pool(), shared::supply);
        shared.account(receives);
        receives.fill();
        int result = shared.submit();
        if (result != PostResult.POSTED) {
            shared.close();
            receives.close();
            throw new ChannelException(
                    ChannelException.Reason.TRANSPORT,
                    receives + " were refused by " + choice + ": " + PostResult.describe(result));
        }
        return receives;
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

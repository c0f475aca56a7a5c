// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.DevicePreview;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.core.CommonReceives;
import io.rdmachannel.channel.core.LinkSource;
import io.rdmachannel.channel.core.QueuePairLink;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.PoolConfig;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.RdmaException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all RDMA links of an event loop on one device share: the registered pool, and the device while it is open. A
 * device that breaks, or is removed, is closed when its links have ended, and opened again when a link is asked for;
 * the pool's memory stays.
 *
 * <p>{@link #prepare}, {@link #matches}, {@link #pool} and {@link #wakeUp} may be called by any thread; the rest
 * belongs to the owner, the event loop's thread.
 */
public final class RdmaSource implements LinkSource {
    private static final Logger LOGGER = LoggerFactory.getLogger(RdmaSource.class);
    private static final long CLOSE_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PollerConfig poller;
    private final DeviceChoice choice;
    /** The name of the protection domain, which may be empty. */
    private final String domainName;

    private final Thread owner;
    private final PoolRegistrar registrar;
    private final RegisteredMemoryPool pool;
    private final CommonReceives common;
    /** Handshakes that use the device; also the lock that lets none begin when it is closed. */
    private final AtomicInteger handshakes = new AtomicInteger();

    /** Null while there is none to be opened. */
    private volatile OpenDevice device;
    /** Who sleeps while there is no device that could wake it. */
    private volatile Thread sleeper;
    /** Ends the next sleep of that kind, which may not have begun. */
    private volatile boolean woken;

    private volatile boolean closed;
    private boolean refused;
    private long refusedNanos;

    private RdmaSource(
            PollerConfig poller, DeviceChoice choice, String domainName, Thread owner, SourceResources resources) {
        this.poller = poller;
        this.choice = choice;
        this.domainName = domainName;
        this.owner = owner;
        this.registrar = new PoolRegistrar(resources.domain());
        this.pool = RegisteredMemoryPool.create(
                poolConfig(poller, resources.context().device()));
        try {
            this.common = poller.sharedReceives()
                    .map(config -> new CommonReceives(config, pool, this::supplyShared))
                    .orElse(null);
        } catch (RuntimeException | Error tooSmall) {
            pool.close();
            throw tooSmall;
        }
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
        RdmaSource source = null;
        try {
            source = new RdmaSource(poller, choice, config.protectionDomain(), owner, resources);
            source.use(resources);
            LOGGER.debug(
                    "{}: {} for local address {}, {} completions",
                    poller.name(),
                    source,
                    local.getHostAddress(),
                    resources.queue().capacity());
            return source;
        } catch (RuntimeException | Error failure) {
            undo(
                    failure,
                    List.of(resources::closeShared, source == null ? () -> {} : source::closeMemory, resources::close));
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
        OpenDevice open = device;
        try {
            if (open == null || open.isBroken()) {
                return DeviceSearch.find(config, LocalAddress.of(local)).equals(choice);
            }
            return DeviceChoice.among(presentPorts(), config, LocalAddress.of(local))
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
     *     the device refuses, or is gone
     */
    public QueuePairLink prepare(ChannelConfig config) {
        return whileEntered(open -> open.prepare(config, choice));
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
        return whileEntered(open -> {
            List<PortCandidate> ports = open.ports();
            DeviceChoice now = DeviceChoice.among(ports, here, LocalAddress.of(local))
                    .orElseThrow(() -> new ChannelException(
                            Reason.UNAVAILABLE,
                            choice + ", which knows the channel's memory, is not active or has no usable GID now: "
                                    + ports));
            return open.prepare(config, now);
        });
    }

    @Override
    public RegisteredMemoryPool pool() {
        return pool;
    }

    @Override
    public CommonReceives commonReceives() {
        return common;
    }

    @Override
    public int poll() {
        OpenDevice open = device;
        if (open == null) {
            return 0;
        }
        int count = open.poll();
        if (open.isBroken()) {
            letGo(open);
        }
        return count;
    }

    @Override
    public void arm() {
        OpenDevice open = device;
        if (open != null) {
            open.arm();
        }
    }

    /**
     * Sleeps until there may be a completion, with the resolution of a millisecond, rounded up.
     *
     * @param nanos how long at most; 0 or less only looks
     */
    @Override
    public void await(long nanos) {
        OpenDevice open = device;
        if (open != null && !open.isBroken() && !open.isEnding()) {
            open.await(nanos);
            return;
        }
        // A device that is gone may end each wait at once, and must be closed soon.
        long limit = open == null ? nanos : Math.min(nanos, CLOSE_AGAIN_NANOS);
        sleeper = Thread.currentThread();
        if (!woken && device == open) {
            LockSupport.parkNanos(limit);
        }
        sleeper = null;
        woken = false;
    }

    @Override
    public void wakeUp() {
        OpenDevice open = device;
        if (open != null) {
            open.wakeUp();
        }
        woken = true;
        LockSupport.unpark(sleeper);
    }

    @Override
    public void close() {
        synchronized (handshakes) {
            if (handshakes.get() > 0) {
                throw new ChannelException(
                        Reason.BUSY,
                        handshakes + " handshakes are going on over " + this + "; close it again when they have ended,"
                                + " which is after handshakeTimeout at the latest");
            }
            closed = true;
        }
        OpenDevice open = device;
        if (open != null) {
            open.beginClosing();
        }
        closeMemory();
        if (open != null) {
            open.close();
        }
    }

    @Override
    public String toString() {
        return "RDMA on " + choice + (domainName.isEmpty() ? "" : ", protection domain " + domainName);
    }

    /** A handshake does not use the device any more: it came to nothing, or has become a link. Any thread. */
    void leave() {
        OpenDevice open = device;
        if (handshakes.decrementAndGet() == 0 && open != null && open.isBroken()) {
            wakeUp();
        }
    }

    /** What a handshake makes of the device; it leaves when that ends, or here when it comes to nothing. */
    private interface Use {
        QueuePairLink of(OpenDevice open);
    }

    private QueuePairLink whileEntered(Use use) {
        OpenDevice open = enter();
        try {
            return use.of(open);
        } catch (ChannelException known) {
            leave();
            throw known;
        } catch (RdmaException gone) {
            leave();
            throw new ChannelException(Reason.UNAVAILABLE, choice + " cannot be used: " + gone.getMessage(), gone);
        } catch (RuntimeException | Error failure) {
            leave();
            throw failure;
        }
    }

    /** Gives the device to a handshake, opened again where that is needed. */
    private OpenDevice enter() {
        synchronized (handshakes) {
            if (closed) {
                throw new ChannelException(Reason.CLOSED, this + " is closed");
            }
            handshakes.incrementAndGet();
        }
        try {
            return usable();
        } catch (RuntimeException | Error failure) {
            leave();
            throw failure;
        }
    }

    private synchronized OpenDevice usable() {
        OpenDevice open = device;
        if (open == null) {
            return openedAgain();
        }
        if (open.isBroken()) {
            throw new ChannelException(
                    Reason.UNAVAILABLE, choice + " is gone or broken, and is opened again when all links have left it");
        }
        return open;
    }

    private List<PortCandidate> presentPorts() {
        OpenDevice open = enter();
        try {
            return open.ports();
        } finally {
            leave();
        }
    }

    private OpenDevice openedAgain() {
        SourceResources resources = SourceResources.open(poller, choice);
        try {
            registrar.leadTo(resources.domain());
            pool.registerAgain();
            use(resources);
            LOGGER.info("{}: the device is open again", this);
            return device;
        } catch (RuntimeException | Error failure) {
            undo(failure, List.of(resources::closeShared, pool::deregister, resources::close));
            throw failure;
        }
    }

    /** Each step, whatever comes of the others. */
    private static void undo(Throwable failure, List<Runnable> steps) {
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException alsoFailed) {
                failure.addSuppressed(alsoFailed);
            }
        }
    }

    /** Begins with an open device. Last of all: whoever fails before must be able to close everything. */
    private void use(SourceResources resources) {
        OpenDevice open = new OpenDevice(this, resources, choice.port());
        if (common != null) {
            open.share(common);
        }
        open.handOver(owner);
        device = open;
        wakeUp();
    }

    /** Closes a device of which nothing comes any more: a removal waits for that, and a reset helps only then. */
    private void letGo(OpenDevice open) {
        boolean waits = closed || refused && System.nanoTime() - refusedNanos < CLOSE_AGAIN_NANOS;
        if (waits || open.hasLinks() || handshakes.get() > 0) {
            return;
        }
        try {
            open.beginClosing();
            if (common != null) {
                common.emptied();
            }
            pool.deregister();
            open.close();
            device = null;
            refused = false;
            LOGGER.warn("{}: closed, since the device is gone or broken; it will be opened again when needed", this);
        } catch (RdmaException | IllegalStateException stays) {
            if (!refused) {
                LOGGER.warn("{}: the device is gone or broken, and refuses to be closed: {}", this, stays.getMessage());
            }
            refused = true;
            refusedNanos = System.nanoTime();
        }
    }

    private void supplyShared(Lease lease) {
        OpenDevice open = device;
        open = open == null ? deviceAfterOpening() : open;
        if (open == null) {
            lease.release();
        } else {
            open.supplyShared(lease);
        }
    }

    /** Whoever opens it fills it with all that is there, and what comes later goes there too. */
    private synchronized OpenDevice deviceAfterOpening() {
        return device;
    }

    private void closeMemory() {
        if (common != null) {
            common.close();
        }
        pool.close();
    }

    private PoolConfig poolConfig(PollerConfig config, Device of) {
        return PoolConfig.builder()
                .name(config.name() + " rdma " + of.name())
                .headroomBytes(FrameHeader.BYTES)
                .initialBytes(config.poolBytes())
                .growthBytes(config.poolBytes())
                .maxBytes(Math.max(config.poolMaxBytes(), wholeSlab(config.poolBytes())))
                .numaNodeOf(of)
                .registerWith(registrar)
                .build();
    }

    /** The pool rounds its slabs up to multiples of 64 KiB. */
    private static long wholeSlab(long bytes) {
        return Math.ceilDiv(bytes, 1L << 16) << 16;
    }
}

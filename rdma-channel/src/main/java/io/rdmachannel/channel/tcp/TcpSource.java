// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.channel.core.CommonReceives;
import io.rdmachannel.channel.core.LinkSource;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.MemorySource;
import io.rdmachannel.mempool.PoolConfig;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tcp transport's share of an event loop: a selector, the links, their memory. */
public final class TcpSource implements LinkSource {
    private static final Logger LOGGER = LoggerFactory.getLogger(TcpSource.class);
    private static final int STAGING_BYTES = 256 * 1024;
    /** So many sockets are sooner read than asked of the selector. */
    private static final int FEW_LINKS = 4;

    private static final int NOTICE_ROOM = 16;

    private final RegisteredMemoryPool pool;
    private final Selector selector;
    /** Null when each link has its own. */
    private final CommonReceives common;

    private final ReceiveRing commonRing;
    private final Staging staging = new Staging(STAGING_BYTES);
    private final List<TcpLink> links = new ArrayList<>();
    private final Consumer<SelectionKey> pollSelected = this::pollSelected;
    private int events;
    /** Whether sockets were closed that the selector still knows: until it is asked they stay open to the kernel. */
    private boolean closedSome;

    /**
     * Makes a source.
     *
     * @param config of the event loop
     * @throws ChannelException if there is no memory, or no selector can be opened
     */
    public TcpSource(PollerConfig config) {
        this.selector = openSelector();
        try {
            this.pool = RegisteredMemoryPool.create(poolConfig(config));
        } catch (RuntimeException | Error noMemory) {
            closeSelector();
            throw noMemory;
        }
        this.commonRing = new ReceiveRing(
                config.sharedReceives().map(SharedReceives::receives).orElse(0));
        try {
            this.common = config.sharedReceives()
                    .map(shared -> new CommonReceives(shared, pool, commonRing::add))
                    .orElse(null);
        } catch (RuntimeException | Error tooSmall) {
            closeSelector();
            pool.close();
            throw tooSmall;
        }
        if (common != null) {
            common.fill(commonRing::add);
        }
    }

    /**
     * Begins to make a link.
     *
     * @param config of the channel
     * @return the link to be
     */
    public TcpPendingLink prepare(ChannelConfig config) {
        return new TcpPendingLink(this, config, config.sendDepth() + NOTICE_ROOM);
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
        if (closedSome) {
            closedSome = false;
            forgetClosed();
        }
        int size = links.size();
        if (size > FEW_LINKS) {
            return select();
        }
        int count = 0;
        // A link may end while it is polled.
        for (int i = size - 1; i >= 0; i--) {
            count += i < links.size() ? links.get(i).poll() : 0;
        }
        return count;
    }

    @Override
    public void arm() {
        // The selector tells of what is there already, too.
    }

    @Override
    public void await(long nanos) {
        try {
            selector.select(key -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
        } catch (IOException failed) {
            throw new ChannelException(Reason.TRANSPORT, "the selector failed: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void wakeUp() {
        selector.wakeup();
    }

    @Override
    public void close() {
        closeSelector();
        commonRing.release();
        if (common != null) {
            common.close();
        }
        pool.close();
    }

    Staging staging() {
        return staging;
    }

    void add(TcpLink link) {
        try {
            link.begin(link.socket().register(selector, SelectionKey.OP_READ, link));
            links.add(link);
        } catch (ClosedChannelException gone) {
            throw new ChannelException(Reason.PEER_GONE, "the data connection is closed already", gone);
        }
    }

    void remove(TcpLink link) {
        links.remove(link);
        closedSome = true;
    }

    /** Says whether a link waits until its socket takes more. */
    void interest(SelectionKey key, boolean blocked) {
        int wanted = blocked ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key != null && key.isValid() && key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    void report(IOException unlikely) {
        LOGGER.debug("closing a socket", unlikely);
    }

    /** Null when the link has its own. */
    ReceiveRing commonRing() {
        return common == null ? null : commonRing;
    }

    private static PoolConfig poolConfig(PollerConfig config) {
        return PoolConfig.builder()
                .source(MemorySource.ARENA)
                .name(config.name() + "-tcp")
                .initialBytes(config.poolBytes())
                .growthBytes(config.poolBytes())
                .maxBytes(config.poolMaxBytes())
                .headroomBytes(FrameHeader.BYTES)
                .build();
    }

    private static Selector openSelector() {
        try {
            return Selector.open();
        } catch (IOException refused) {
            throw new ChannelException(
                    Reason.UNAVAILABLE,
                    "no selector can be opened: " + refused.getMessage() + "; see the limit on open files (ulimit -n)",
                    refused);
        }
    }

    private void closeSelector() {
        try {
            selector.close();
        } catch (IOException unlikely) {
            report(unlikely);
        }
    }

    /** What is ready stays so for whoever looks for it. */
    private void forgetClosed() {
        try {
            selector.selectNow(key -> {});
        } catch (IOException failed) {
            throw new ChannelException(Reason.TRANSPORT, "the selector failed: " + failed.getMessage(), failed);
        }
    }

    private int select() {
        events = 0;
        try {
            selector.selectNow(pollSelected);
        } catch (IOException failed) {
            throw new ChannelException(Reason.TRANSPORT, "the selector failed: " + failed.getMessage(), failed);
        }
        return events;
    }

    private void pollSelected(SelectionKey key) {
        events += ((TcpLink) key.attachment()).poll();
    }
}

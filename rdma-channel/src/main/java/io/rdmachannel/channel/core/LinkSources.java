// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.rdma.RdmaSource;
import io.rdmachannel.channel.tcp.TcpSource;
import io.rdmachannel.mempool.PoolStats;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The sources of an event loop: made when a channel needs one, by any thread. */
final class LinkSources {
    private final PollerConfig config;
    private final Thread owner;
    private final Map<LinkSource, MemoryPlan> plans = new HashMap<>();
    private volatile LinkSource[] all = {};
    private TcpSource tcp;
    private ManagerEvents events;
    private boolean closed;

    LinkSources(PollerConfig config, Thread owner) {
        this.config = config;
        this.owner = owner;
    }

    /** The source of the tcp transport. */
    synchronized TcpSource tcp() {
        requireOpen();
        if (tcp == null) {
            tcp = new TcpSource(config);
            add(tcp);
        }
        return tcp;
    }

    /**
     * The source of the device that serves a local address.
     *
     * @throws io.rdmachannel.channel.ChannelException if there is none
     */
    synchronized RdmaSource rdma(ChannelConfig channel, InetAddress local) {
        requireOpen();
        for (LinkSource source : all) {
            if (source instanceof RdmaSource links && links.matches(channel, local)) {
                return links;
            }
        }
        RdmaSource links = RdmaSource.open(config, channel, local, owner);
        add(links);
        return links;
    }

    /**
     * The events of librdmacm.
     *
     * @throws io.rdmachannel.channel.ChannelException if it cannot be used
     */
    synchronized ManagerEvents managerEvents() {
        requireOpen();
        if (events == null) {
            events = ManagerEvents.open(config.name());
        }
        return events;
    }

    /** What the channels of a source may hold. */
    synchronized MemoryPlan planOf(LinkSource source) {
        return plans.computeIfAbsent(source, any -> new MemoryPlan(any));
    }

    /** The source that a pool belongs to. */
    Optional<LinkSource> owning(RegisteredMemoryPool pool) {
        return Stream.of(all).filter(source -> source.pool() == pool).findFirst();
    }

    /** The numbers of the pools there are, by their names; none from the first attempt to close them. */
    synchronized Map<String, PoolStats> pools() {
        Map<String, PoolStats> stats = new TreeMap<>();
        for (LinkSource source : closed ? new LinkSource[0] : all) {
            stats.put(source.pool().config().name(), source.pool().stats());
        }
        return stats;
    }

    LinkSource[] all() {
        return all;
    }

    int poll() {
        int events = 0;
        for (LinkSource source : all) {
            events += source.poll();
        }
        return events;
    }

    void arm() {
        for (LinkSource source : all) {
            source.arm();
        }
    }

    synchronized void close() {
        closed = true;
        for (LinkSource source : all) {
            source.close();
        }
        all = new LinkSource[0];
        if (events != null) {
            events.close();
        }
    }

    private void add(LinkSource source) {
        LinkSource[] longer = new LinkSource[all.length + 1];
        System.arraycopy(all, 0, longer, 0, all.length);
        longer[all.length] = source;
        all = longer;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("poller " + config.name() + " is closed");
        }
    }
}

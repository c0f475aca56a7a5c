// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.ChannelCounters;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.mempool.PoolStats;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Meters for a poller with all its channels, or for one channel: a function counter for each {@link ChannelCounter},
 * and gauges. The meters hold what they measure weakly, and read it when they are read; nothing is added to the way of
 * a message.
 *
 * <p>Any thread. Lives until {@link #close()}, which removes the meters from their registries; whoever makes channels
 * and drops them should close theirs too.
 */
// Micrometer is optional, and so cannot be required transitively.
@SuppressWarnings("exports")
public final class RdmaChannelMetrics implements MeterBinder, AutoCloseable {
    private static final String POLLER = "rdma.poller.";
    private static final String CHANNEL = "rdma.channel.";

    private final Poller poller;
    /** Null for a poller's meters. */
    private final RdmaChannel channel;

    private final Tags tags;
    private final List<Registered> registered = new ArrayList<>();

    private RdmaChannelMetrics(Poller poller, RdmaChannel channel, Tags tags) {
        this.poller = poller;
        this.channel = channel;
        this.tags = tags;
    }

    /**
     * Measures a poller: the sums over its channels, the channels there are, and the memory of its pools. The names
     * begin with {@code rdma.poller}; tag {@code poller} is its name.
     *
     * @param poller what is measured
     * @param tags more tags for each meter
     * @return the binder, which has no meters yet
     */
    public static RdmaChannelMetrics of(Poller poller, Tag... tags) {
        Tags all = Tags.of(tags).and("poller", poller.config().name());
        return new RdmaChannelMetrics(poller, null, all);
    }

    /**
     * Measures one channel: its counts, and its state. The names begin with {@code rdma.channel}; tags {@code poller}
     * and {@code peer} say which. Two channels with the same tags would share meters: tell them apart by tags of your
     * own.
     *
     * @param channel what is measured
     * @param tags more tags for each meter
     * @return the binder, which has no meters yet
     */
    public static RdmaChannelMetrics of(RdmaChannel channel, Tag... tags) {
        InetSocketAddress peer = channel.peerAddress();
        Tags all = Tags.of(tags)
                .and("poller", channel.poller().config().name())
                .and("peer", peer.getHostString() + ":" + peer.getPort());
        return new RdmaChannelMetrics(channel.poller(), channel, all);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        if (channel == null) {
            bindPoller(registry);
        } else {
            bindChannel(registry);
        }
    }

    /** Removes the meters. Idempotent; the binder can be bound again. */
    @Override
    public synchronized void close() {
        registered.forEach(Registered::remove);
        registered.clear();
    }

    private void bindPoller(MeterRegistry registry) {
        for (ChannelCounter counter : ChannelCounter.values()) {
            count(registry, POLLER, poller, Poller::counters, counter);
        }
        keep(
                registry,
                Gauge.builder(POLLER + "channels", poller, Poller::channelCount)
                        .description("channels that are not over")
                        .baseUnit("channels")
                        .tags(tags)
                        .register(registry));
        memory(registry, "pool.used.bytes", "memory of the pools that nobody else can take", PoolStats::usedBytes);
        memory(registry, "pool.free.bytes", "memory of the pools that is free", PoolStats::freeBytes);
    }

    private void bindChannel(MeterRegistry registry) {
        for (ChannelCounter counter : ChannelCounter.values()) {
            if (!counter.isOfPoller()) {
                count(registry, CHANNEL, channel, RdmaChannel::counters, counter);
            }
        }
        for (ChannelState state : ChannelState.values()) {
            keep(
                    registry,
                    Gauge.builder(CHANNEL + "state", channel, measured -> measured.state() == state ? 1 : 0)
                            .description("1 for the state in which the channel is, 0 for the others")
                            .tags(tags.and("state", state.name()))
                            .register(registry));
        }
    }

    private <T> void count(
            MeterRegistry registry,
            String prefix,
            T measured,
            Function<T, ChannelCounters> view,
            ChannelCounter counter) {
        keep(
                registry,
                FunctionCounter.builder(
                                prefix + counter.metricName(),
                                measured,
                                what -> view.apply(what).value(counter))
                        .description(counter.description())
                        .baseUnit(counter.unit())
                        .tags(tags)
                        .register(registry));
    }

    private void memory(MeterRegistry registry, String name, String what, ToLongFunction<PoolStats> bytes) {
        keep(
                registry,
                Gauge.builder(
                                POLLER + name,
                                poller,
                                measured -> measured.pools().values().stream()
                                        .mapToLong(bytes)
                                        .sum())
                        .description(what)
                        .baseUnit("bytes")
                        .tags(tags)
                        .register(registry));
    }

    private synchronized void keep(MeterRegistry registry, Meter meter) {
        registered.add(new Registered(registry, meter));
    }

    /** A meter, and where it is. */
    private record Registered(MeterRegistry registry, Meter meter) {
        void remove() {
            registry.remove(meter);
        }
    }
}

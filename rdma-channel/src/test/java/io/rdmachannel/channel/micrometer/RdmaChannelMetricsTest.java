// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelCounter;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.mempool.PoolStats;
import io.rdmachannel.testing.Deadline;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RdmaChannelMetricsTest {
    private static final ChannelHandler HANDLER = (channel, buffer, offset, length) -> {};

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Poller poller = Poller.create(PollerConfig.of("client"));
    private final Poller serving = Poller.start(PollerConfig.of("server"));
    private RdmaListener listener;
    private RdmaChannel channel;

    @BeforeEach
    void connect() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = RdmaListener.bind(any, over(serving), () -> HANDLER);
        channel = RdmaChannel.connect(listener.address(), over(poller), HANDLER);
    }

    @AfterEach
    void end() {
        channel.close();
        listener.close();
        poller.close();
        serving.close();
    }

    @Test
    void shouldHaveACounterForEverythingThatAPollerCounts() {
        RdmaChannelMetrics.of(poller, Tag.of("service", "orders")).bindTo(registry);
        send(5);

        for (ChannelCounter counter : ChannelCounter.values()) {
            FunctionCounter meter = registry.get("rdma.poller." + counter.metricName())
                    .tags("poller", "client", "service", "orders")
                    .functionCounter();
            assertThat(meter.count()).isEqualTo(poller.counters().value(counter));
            assertThat(meter.getId().getBaseUnit()).isEqualTo(counter.unit());
            assertThat(meter.getId().getDescription()).isEqualTo(counter.description());
        }
        assertThat(registry.get("rdma.poller.sent.messages").functionCounter().count())
                .isEqualTo(5);
    }

    @Test
    void shouldMeasureChannelsAndMemoryOfAPoller() {
        RdmaChannelMetrics.of(poller).bindTo(registry);
        assertThat(gauge("rdma.poller.channels").value()).isEqualTo(1);
        PoolStats pool = poller.pools().values().iterator().next();
        assertThat(gauge("rdma.poller.pool.used.bytes").value()).isEqualTo(pool.usedBytes());
        assertThat(gauge("rdma.poller.pool.free.bytes").value()).isEqualTo(pool.freeBytes());
        assertThat(pool.usedBytes()).isPositive();
        channel.close();
        assertThat(gauge("rdma.poller.channels").value()).isZero();
    }

    @Test
    void shouldMeasureOneChannelWithItsState() {
        RdmaChannelMetrics.of(channel).bindTo(registry);
        send(3);
        String peer =
                listener.address().getHostString() + ":" + listener.address().getPort();

        List<String> expected = Arrays.stream(ChannelCounter.values())
                .filter(counter -> !counter.isOfPoller())
                .map(counter -> "rdma.channel." + counter.metricName())
                .toList();
        assertThat(registry.find("rdma.channel.sent.bytes")
                        .tags("poller", "client", "peer", peer)
                        .functionCounter()
                        .count())
                .isEqualTo(30);
        assertThat(registry.getMeters())
                .filteredOn(FunctionCounter.class::isInstance)
                .extracting(meter -> meter.getId().getName())
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(stateOf("CONNECTED")).isEqualTo(1);
        assertThat(stateOf("CLOSED")).isZero();
        channel.close();
        assertThat(stateOf("CONNECTED")).isZero();
        assertThat(stateOf("CLOSED")).isEqualTo(1);
    }

    @Test
    void shouldRemoveItsMetersAndNoOthers() {
        registry.counter("somebody.else");
        RdmaChannelMetrics ofPoller = RdmaChannelMetrics.of(poller);
        RdmaChannelMetrics ofChannel = RdmaChannelMetrics.of(channel);
        ofPoller.bindTo(registry);
        ofChannel.bindTo(registry);
        assertThat(registry.getMeters()).hasSizeGreaterThan(50);
        ofChannel.close();
        assertThat(registry.getMeters())
                .extracting(RdmaChannelMetricsTest::name)
                .noneMatch(name -> name.startsWith("rdma.channel"));
        ofPoller.close();
        ofPoller.close();
        assertThat(registry.getMeters())
                .extracting(RdmaChannelMetricsTest::name)
                .containsExactly("somebody.else");
    }

    private static ChannelConfig over(Poller poller) {
        return ChannelConfig.builder().transport(Transport.TCP).poller(poller).build();
    }

    private static String name(Meter meter) {
        return meter.getId().getName();
    }

    private Gauge gauge(String name) {
        return registry.get(name).gauge();
    }

    private double stateOf(String state) {
        return registry.get("rdma.channel.state").tag("state", state).gauge().value();
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(channel.send(Arena.ofAuto().allocate(10), 0, 10)).isEqualTo(Submission.ACCEPTED);
        }
        Deadline.usual().await("they are there", () -> {
            poller.poll();
            return serving.counters().value(ChannelCounter.RECEIVED_MESSAGES) == count;
        });
    }
}

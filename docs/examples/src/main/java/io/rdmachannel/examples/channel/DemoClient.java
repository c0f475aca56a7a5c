// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.examples.support.Arguments;
import io.rdmachannel.examples.support.ExampleException;
import io.rdmachannel.examples.support.Latencies;
import io.rdmachannel.examples.support.UsageException;
import io.rdmachannel.examples.support.Wait;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/** The side that measures, in one thread that drives its poller itself. */
final class DemoClient {
    private static final Set<String> OPTIONS = Set.of("transport", "mode", "limit", "iterations", "warm-up");
    private static final int NUMBER_MAX = 100_000_000;

    private final PrintStream out;
    private final int iterations;
    private final int warmUp;
    private final Duration limit;

    private DemoClient(PrintStream out, Arguments given) {
        this.out = out;
        this.iterations = given.number("iterations", 10_000, 1, NUMBER_MAX);
        this.warmUp = given.number("warm-up", 2_000, 0, NUMBER_MAX);
        this.limit = given.seconds("limit", 60);
    }

    static void run(PrintStream out, String... arguments) throws InterruptedException {
        Arguments given = Arguments.parse(OPTIONS, arguments);
        if (given.operands().size() != 1) {
            throw new UsageException("name the server: HOST or HOST:PORT");
        }
        DemoClient client = new DemoClient(out, given);
        DemoPeer peer = new DemoPeer();
        PollerConfig polling = PollerConfig.of("demo-client").withMode(given.mode());
        try (Poller poller = Poller.create(polling);
                RdmaChannel channel = RdmaChannel.connect(
                        Arguments.address(given.operands().getFirst(), ChannelDemo.PORT),
                        given.channelConfig(client.limit).poller(poller).build(),
                        peer)) {
            client.measure(channel, peer);
        }
    }

    /** Names the transport, and says why it is TCP if RDMA was allowed. */
    static String transport(RdmaChannel channel) {
        return channel.transport()
                + channel.fallbackReason().map(reason -> ", since " + reason).orElse("");
    }

    private void measure(RdmaChannel channel, DemoPeer peer) {
        out.println("transport: " + transport(channel));
        Wait.until(
                channel.poller(),
                limit,
                "the server's region",
                () -> channel.remoteRegion(DemoSession.REGION).isPresent()
                        || channel.state().isOver());
        RemoteRegion region = channel.remoteRegion(DemoSession.REGION)
                .orElseThrow(() -> new ExampleException("the server exposes no region: " + channel));
        line("%-26s %10s %12s %12s   %s", "", "count", "median us", "p99 us", "content");
        DemoTraffic traffic = new DemoTraffic(channel, peer, limit);
        row("send and answer, 64 B", DemoMessage.BYTES, traffic::echo);
        try (DemoWrites writes = new DemoWrites(traffic, region)) {
            row("write, 64 B", 64, writes::write);
            row("write, 64 KiB", DemoSession.REGION_BYTES, writes::write);
        }
    }

    /** One exchange, which is checked and gives its nanoseconds. */
    private interface Exchange {
        long run(int bytes);
    }

    private void row(String name, int bytes, Exchange exchange) {
        Latencies latencies = new Latencies();
        for (int i = -warmUp; i < iterations; i++) {
            long nanos = exchange.run(bytes);
            if (i >= 0) {
                latencies.record(nanos);
            }
        }
        line("%-26s %10d %12.1f %12.1f   ok", name, latencies.count(), latencies.micros(50), latencies.micros(99));
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}

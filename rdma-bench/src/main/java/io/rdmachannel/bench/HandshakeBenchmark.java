// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take to connect a channel on pollers that are in use already, and to close it in good order? Both
 * ends in this process.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class HandshakeBenchmark {
    private static final ChannelHandler NOTHING = (channel, buffer, offset, length) -> {};

    /** How the bytes would travel. RDMA needs a device. */
    @Param({"TCP"})
    Transport transport;

    private Poller left;
    private Poller right;
    private RdmaListener listener;

    /** Listens. */
    @Setup
    public void listen() {
        left = Poller.create(PollerConfig.of("left").withMode(CompletionMode.BUSY_POLL));
        right = Poller.create(PollerConfig.of("right").withMode(CompletionMode.BUSY_POLL));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = RdmaListener.bind(
                any, LocalConnection.config(transport, right).receiveDepth(16).build(), () -> NOTHING);
    }

    /** Closes everything. */
    @TearDown
    public void close() {
        listener.close();
        left.close();
        right.close();
    }

    /** Connects a channel and closes it. */
    @Benchmark
    public void connectAndClose() {
        LocalConnection connection = LocalConnection.to(
                listener,
                LocalConnection.config(transport, left).receiveDepth(16).build(),
                NOTHING);
        left.execute(connection.connected()::close);
        while (left.channelCount() > 0 || right.channelCount() > 0) {
            left.poll();
            right.poll();
        }
    }
}

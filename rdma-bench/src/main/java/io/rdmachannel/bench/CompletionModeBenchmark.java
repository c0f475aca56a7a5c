// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
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
 * What does each completion mode cost between two threads, each with a poller of its own: a message and its echo, and a
 * one-sided write? The one-sided write over TCP needs the peer's thread, over RDMA it does not.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class CompletionModeBenchmark {
    private static final int BYTES = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How the bytes travel. RDMA needs a device, or the stand-in. */
    @Param({"TCP"})
    Transport transport;

    /** How both threads wait. */
    @Param({"BUSY_POLL", "EVENT", "ADAPTIVE"})
    CompletionMode mode;

    private final MemorySegment payload = Arena.ofShared().allocate(BYTES);
    private final MemorySegment exposed = Arena.ofShared().allocate(4096, 4096);
    private Poller left;
    private Poller right;
    private RdmaListener listener;
    private RdmaChannel channel;
    private RemoteRegion region;
    private Lease buffer;
    private long received;
    private long ended;

    /**
     * Connects to a poller that has a thread of its own.
     *
     * @throws InterruptedException if interrupted
     */
    @Setup
    public void connect() throws InterruptedException {
        left = Poller.create(PollerConfig.of("left").withMode(mode));
        right = Poller.start(PollerConfig.of("right").withMode(mode));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = RdmaListener.bind(any, config(right), Echo::new);
        channel = RdmaChannel.connect(listener.address(), config(left), new Counting());
        while (channel.remoteRegion("memory").isEmpty()) {
            left.poll(PATIENCE);
        }
        region = channel.remoteRegion("memory").orElseThrow();
        buffer = channel.acquire(BYTES);
    }

    /** Closes both, which proves that all buffers came back. */
    @TearDown
    public void close() {
        buffer.release();
        listener.close();
        left.close();
        right.close();
    }

    /** A message there and its echo back. */
    @Benchmark
    public void roundTrip() {
        long wanted = received + 1;
        while (!channel.send(payload, 0, BYTES).isAccepted()) {
            left.poll(PATIENCE);
        }
        while (received < wanted) {
            left.poll(PATIENCE);
        }
    }

    /** A one-sided write, until it is told as done. */
    @Benchmark
    public void write() {
        long wanted = ended + 1;
        while (!channel.write(buffer, 0, region, 0, BYTES, wanted).isAccepted()) {
            left.poll(PATIENCE);
        }
        while (ended < wanted) {
            left.poll(PATIENCE);
        }
    }

    private ChannelConfig config(Poller poller) {
        return LocalConnection.config(transport, poller).build();
    }

    /** Counts what comes back. */
    private final class Counting implements ChannelHandler {
        @Override
        public void onMessage(RdmaChannel of, MemorySegment memory, long offset, long length) {
            received++;
        }

        @Override
        public void onCompletion(RdmaChannel of, long token, Outcome outcome) {
            ended++;
        }
    }

    /** Sends back what comes, and exposes memory. */
    private final class Echo implements ChannelHandler {
        @Override
        public void onStateChange(RdmaChannel of, ChannelState before, ChannelState now) {
            if (now == ChannelState.CONNECTED) {
                of.expose("memory", exposed, Set.of(RegionRight.values()));
            }
        }

        @Override
        public void onMessage(RdmaChannel of, MemorySegment memory, long offset, long length) {
            if (!of.send(memory, offset, length).isAccepted()) {
                throw new IllegalStateException("one message at a time always has room");
            }
        }
    }
}

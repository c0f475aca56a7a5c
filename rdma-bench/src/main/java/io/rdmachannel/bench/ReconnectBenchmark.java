// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.RecoveryPolicy;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.Transport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
 * How long does a channel take from a cut of its connections until a message that was sent meanwhile has arrived? One
 * thread drives both ends; a relay between them cuts.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ReconnectBenchmark {
    private static final int BYTES = 64;

    /** How the bytes travel. RDMA, on a device or the stand-in, sees only the control connection cut. */
    @Param({"TCP"})
    Transport transport;

    private final MemorySegment payload = Arena.ofShared().allocate(BYTES);
    private Poller left;
    private Poller right;
    private RdmaListener listener;
    private CuttingRelay relay;
    private RdmaChannel channel;
    private long received;

    /**
     * Connects through the relay.
     *
     * @throws InterruptedException if interrupted
     */
    @Setup
    public void connect() throws InterruptedException {
        left = Poller.create(PollerConfig.of("left").withMode(CompletionMode.BUSY_POLL));
        right = Poller.start(PollerConfig.of("right").withMode(CompletionMode.BUSY_POLL));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = RdmaListener.bind(any, config(right), () -> (of, memory, offset, length) -> {
            Submission answer = of.send(memory, offset, length);
            if (!answer.isAccepted()) {
                throw new IllegalStateException("one message at a time always has room, and not " + answer);
            }
        });
        relay = new CuttingRelay(listener.address());
        channel = RdmaChannel.connect(relay.address(), config(left), (of, memory, offset, length) -> received++);
        echo();
    }

    /** Closes both, which proves that all buffers came back. */
    @TearDown
    public void close() {
        relay.close();
        listener.close();
        left.close();
        right.close();
    }

    /** A cut, and a message there and back. */
    @Benchmark
    public void cutAndEcho() {
        relay.cut();
        echo();
    }

    private void echo() {
        long wanted = received + 1;
        while (!channel.send(payload, 0, BYTES).isAccepted()) {
            requireAlive();
        }
        while (received < wanted) {
            requireAlive();
        }
    }

    private void requireAlive() {
        left.poll();
        if (channel.state().isOver()) {
            throw new IllegalStateException(
                    "the channel has ended", channel.failure().orElse(null));
        }
    }

    private ChannelConfig config(Poller poller) {
        return LocalConnection.config(transport, poller)
                .recovery(RecoveryPolicy.BLOCK)
                .build();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.overhead;

import io.rdmachannel.bench.LocalConnection;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.Transport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a message of 64 bytes cost from {@code send} to the peer's handler and back to the sender's
 * {@code onCompletion}, beside the same done in C by raw verbs: a header, a copy, credits and acknowledgements? One
 * thread drives both ends, over the loopback verbs library; {@code window} messages are under way at a time.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class MessageBenchmark {
    private static final int MESSAGES = 960;
    private static final int BYTES = 64;

    /** How many messages are under way at once. */
    @Param({"1", "32"})
    int window;

    private final MemorySegment payload = Arena.ofShared().allocate(BYTES);
    private MethodHandle loop;
    private Poller left;
    private Poller right;
    private RdmaListener listener;
    private RdmaChannel channel;
    private long seen;
    private long handled;
    private long ended;

    /** Connects two channels in this thread. */
    @Setup
    public void connect() {
        loop = LoopLibrary.use().handle("loop_messages", 2);
        left = Poller.create(PollerConfig.of("left").withMode(CompletionMode.BUSY_POLL));
        right = Poller.create(PollerConfig.of("right").withMode(CompletionMode.BUSY_POLL));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = RdmaListener.bind(any, config(right), Handling::new);
        channel = LocalConnection.to(listener, config(left), new Ending()).connected();
    }

    /** Closes both, which proves that all buffers came back. */
    @TearDown
    public void close() {
        listener.close();
        left.close();
        right.close();
    }

    /** In Java, by a channel. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void channel() {
        for (int done = 0; done < MESSAGES; done += window) {
            long wanted = ended + window;
            for (int i = 0; i < window; i++) {
                if (!channel.send(payload, 0, BYTES, i).isAccepted()) {
                    throw new IllegalStateException("there is room for " + window + " messages");
                }
            }
            while (ended < wanted) {
                right.poll();
                left.poll();
            }
        }
    }

    /**
     * In C, by raw verbs.
     *
     * @throws Throwable if it fails
     */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void c() throws Throwable {
        if ((long) loop.invokeExact((long) MESSAGES, (long) window) != MESSAGES) {
            throw new IllegalStateException("the loop in C failed");
        }
    }

    private static ChannelConfig config(Poller poller) {
        return LocalConnection.config(Transport.RDMA, poller).build();
    }

    /** The peer's. */
    private final class Handling implements ChannelHandler {
        @Override
        public void onMessage(RdmaChannel of, MemorySegment memory, long offset, long length) {
            seen += memory.get(ValueLayout.JAVA_BYTE, offset);
            handled++;
        }
    }

    /** The sender's. */
    private final class Ending implements ChannelHandler {
        @Override
        public void onMessage(RdmaChannel of, MemorySegment memory, long offset, long length) {
            throw new IllegalStateException("nothing is sent back");
        }

        @Override
        public void onCompletion(RdmaChannel of, long token, Outcome outcome) {
            ended++;
        }
    }
}

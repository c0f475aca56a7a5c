// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What do credits cost? A message of 64 bytes one way, sent whenever there is credit, with few receives of the peer,
 * when each needs to be granted again soon, and with many; and an answer that there is no credit. One thread drives
 * both ends.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class CreditBenchmark {
    private static final int MESSAGES = 1_000;
    private static final int BYTES = 64;

    /** How the bytes travel. RDMA needs a device, or the stand-in. */
    @Param({"TCP"})
    Transport transport;

    /** How many receives each side has. */
    @Param({"8", "32", "128", "1024"})
    int receiveDepth;

    private final MemorySegment payload = Arena.ofShared().allocate(BYTES);
    private Poller left;
    private Poller right;
    private RdmaListener listener;
    private RdmaChannel channel;
    private RdmaChannel blocked;
    private long received;

    /** Connects a channel, and another one whose peer is never polled again, so that it has no credit. */
    @Setup
    public void connect() {
        left = poller("left");
        right = poller("right");
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = RdmaListener.bind(any, config(right), () -> (of, memory, offset, length) -> received++);
        channel = LocalConnection.to(listener, config(left), (of, memory, offset, length) -> {})
                .connected();
        blocked = LocalConnection.to(listener, config(left), (of, memory, offset, length) -> {})
                .connected();
    }

    /** Closes both, which proves that all buffers came back. */
    @TearDown
    public void close() {
        listener.close();
        left.close();
        right.close();
    }

    /** Messages as fast as there is credit. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void message() {
        long wanted = received + MESSAGES;
        int sent = 0;
        while (received < wanted) {
            while (sent < MESSAGES && channel.send(payload, 0, BYTES).isAccepted()) {
                sent++;
            }
            left.poll();
            right.poll();
        }
    }

    /**
     * A send that is refused, since the peer has not polled.
     *
     * @return why
     */
    @Benchmark
    public Submission refused() {
        Submission answer = blocked.send(payload, 0, BYTES);
        while (answer.isAccepted()) {
            answer = blocked.send(payload, 0, BYTES);
        }
        return answer;
    }

    private static Poller poller(String name) {
        return Poller.create(PollerConfig.of(name).withMode(CompletionMode.BUSY_POLL));
    }

    private ChannelConfig config(Poller poller) {
        return LocalConnection.config(transport, poller)
                .receiveDepth(receiveDepth)
                .sendDepth(2_048)
                .build();
    }
}

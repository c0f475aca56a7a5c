// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.overhead;

import io.rdmachannel.bench.LocalConnection;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.verbs.Device;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What a channel costs over C on this machine's first RDMA device, with one thread for both ends, so that nobody waits
 * for another thread: a poll that finds nothing, and a message of 64 bytes there and back. C is measured once more with
 * calls to functions on pages of their own: where the processor is emulated, being spread over many places is what code
 * pays for. Prints medians of some rounds, after others that warm up.
 *
 * <pre>java --enable-native-access=ALL-UNNAMED -cp benchmarks.jar io.rdmachannel.bench.overhead.DeviceOverhead</pre>
 */
public final class DeviceOverhead implements AutoCloseable {
    private static final int WARM_UP = 15;
    private static final int ROUNDS = 9;
    private static final int MESSAGES = 3000;
    private static final int POLLS = 10 * MESSAGES;
    private static final int LOOKS_MAX = 100_000_000;
    private static final int BYTES = 64;
    private static final long[] PLACES = {0, 128, 256, 512};

    private final LoopLibrary library = LoopLibrary.onDevice();
    private final MethodHandle polls = library.handle("loop_polls", 1);
    private final MethodHandle calls = library.handle("loop_calls", 2);
    private final MethodHandle pings = library.handle("loop_pings", 2);
    private final MemorySegment payload = Arena.ofShared().allocate(BYTES);
    private final Poller left = Poller.create(PollerConfig.of("left").withMode(CompletionMode.BUSY_POLL));
    private final Poller right = Poller.create(PollerConfig.of("right").withMode(CompletionMode.BUSY_POLL));
    private final RdmaListener listener;
    private final RdmaChannel channel;
    private long came;
    private long returned;

    private DeviceOverhead() {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ChannelHandler echo = (from, buffer, offset, length) -> {
            came++;
            accepted(from.send(buffer, offset, length).isAccepted());
        };
        listener = RdmaListener.bind(any, config(right), () -> echo);
        channel = LocalConnection.to(listener, config(left), (from, buffer, offset, length) -> returned++)
                .connected();
    }

    /**
     * Measures.
     *
     * @param arguments none
     * @throws Throwable if a loop in C cannot be called
     */
    public static void main(String[] arguments) throws Throwable {
        try (DeviceOverhead overhead = new DeviceOverhead()) {
            overhead.measure();
        }
    }

    @Override
    public void close() {
        listener.close();
        left.close();
        right.close();
    }

    private void measure() throws Throwable {
        List<Kind> kinds = kinds();
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            for (Kind kind : kinds) {
                long begin = System.nanoTime();
                kind.work.run();
                kind.nanos[Math.max(0, round)] = (System.nanoTime() - begin) / kind.count;
            }
        }
        kinds.forEach(Kind::print);
    }

    private List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        kinds.add(new Kind("a poll that finds nothing", POLLS, this::poll));
        kinds.add(new Kind("the same in C", POLLS, () -> accepted((long) polls.invokeExact((long) POLLS) == POLLS)));
        kinds.add(new Kind("there and back", MESSAGES, this::thereAndBack));
        for (long places : PLACES) {
            kinds.add(new Kind(
                    "the same in C with " + places + " calls elsewhere",
                    MESSAGES,
                    () -> accepted((long) pings.invokeExact((long) MESSAGES, places) == MESSAGES)));
            kinds.add(new Kind(
                    places + " calls elsewhere alone",
                    MESSAGES,
                    () -> accepted((long) calls.invokeExact((long) MESSAGES, places) == MESSAGES)));
        }
        return kinds;
    }

    private void poll() {
        for (int i = 0; i < POLLS; i++) {
            left.poll();
        }
    }

    private void thereAndBack() {
        for (int i = 0; i < MESSAGES; i++) {
            long seen = came;
            long wanted = returned + 1;
            accepted(channel.send(payload, 0, BYTES).isAccepted());
            for (int looks = 0; came == seen; looks++) {
                right.poll();
                accepted(looks < LOOKS_MAX);
            }
            for (int looks = 0; returned < wanted; looks++) {
                left.poll();
                accepted(looks < LOOKS_MAX);
            }
        }
    }

    private static void accepted(boolean isTrue) {
        if (!isTrue) {
            throw new IllegalStateException("a send was refused, a message has not come, or a loop in C failed");
        }
    }

    private static ChannelConfig config(Poller poller) {
        String first = Device.list().getFirst().name();
        return LocalConnection.config(Transport.RDMA, poller).device(first).build();
    }

    /** Something that is done again and again. */
    private interface Work {
        void run() throws Throwable;
    }

    private record Kind(String name, int count, Work work, long[] nanos) {
        Kind(String name, int count, Work work) {
            this(name, count, work, new long[ROUNDS]);
        }

        void print() {
            long[] sorted = LongStream.of(nanos).sorted().toArray();
            System.out.printf("%s: %d ns%n", name, sorted[ROUNDS / 2]);
        }
    }
}

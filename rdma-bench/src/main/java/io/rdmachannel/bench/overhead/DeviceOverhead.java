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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.stream.LongStream;

/**
 * What a channel costs over C on this machine's first RDMA device, with one thread for both ends, so that nobody waits
 * for another thread: a poll that finds nothing, and a message of 64 bytes there and back. C is measured once more with
 * calls to functions on pages of their own: where the processor is emulated, being spread over many places is what code
 * pays for. Prints medians of rounds that begin when the JIT compiler is through.
 *
 * <pre>java --enable-native-access=ALL-UNNAMED -cp benchmarks.jar io.rdmachannel.bench.overhead.DeviceOverhead</pre>
 */
public final class DeviceOverhead implements AutoCloseable {
    private static final int WARM_UP = 15;
    private static final int ROUNDS = 9;
    private static final int MESSAGES = 3000;
    private static final int POLLS = 10 * MESSAGES;
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
        long[][] taken = new long[3 + 2 * PLACES.length][ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            long[] times = round(taken.length);
            for (int what = 0; round >= 0 && what < times.length; what++) {
                taken[what][round] = times[what];
            }
        }
        System.out.printf("a poll that finds nothing: %d ns, C %d ns%n", median(taken[0]), median(taken[1]));
        System.out.printf("there and back: %d ns, C %d ns%n", median(taken[2]), median(taken[3]));
        for (int i = 1; i < PLACES.length; i++) {
            System.out.printf(
                    "there and back in C with %d calls elsewhere: %d ns; the calls alone: %d ns%n",
                    PLACES[i], median(taken[3 + 2 * i]), median(taken[4 + 2 * i]));
        }
    }

    private long[] round(int kinds) throws Throwable {
        long[] times = new long[kinds];
        long begin = System.nanoTime();
        poll();
        times[0] = (System.nanoTime() - begin) / POLLS;
        begin = System.nanoTime();
        accepted((long) polls.invokeExact((long) POLLS) == POLLS);
        times[1] = (System.nanoTime() - begin) / POLLS;
        begin = System.nanoTime();
        thereAndBack();
        times[2] = (System.nanoTime() - begin) / MESSAGES;
        for (int i = 0; i < PLACES.length; i++) {
            begin = System.nanoTime();
            accepted((long) pings.invokeExact((long) MESSAGES, PLACES[i]) == MESSAGES);
            times[3 + 2 * i] = (System.nanoTime() - begin) / MESSAGES;
            begin = System.nanoTime();
            accepted((long) calls.invokeExact((long) MESSAGES, PLACES[i]) == MESSAGES);
            times[4 + 2 * i] = (System.nanoTime() - begin) / MESSAGES;
        }
        return times;
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
            while (came == seen) {
                right.poll();
            }
            while (returned < wanted) {
                left.poll();
            }
        }
    }

    private static long median(long[] times) {
        return LongStream.of(times).sorted().toArray()[times.length / 2];
    }

    private static void accepted(boolean isTrue) {
        if (!isTrue) {
            throw new IllegalStateException("a send was refused, or a loop in C failed");
        }
    }

    private static ChannelConfig config(Poller poller) {
        return LocalConnection.config(Transport.RDMA, poller).build();
    }
}

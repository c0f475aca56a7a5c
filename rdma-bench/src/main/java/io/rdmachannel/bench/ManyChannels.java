// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.SharedReceives;
import io.rdmachannel.channel.Transport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What does an idle channel cost on a poller whose channels share their receives? Connects more and more channels
 * between two pollers of one thread, and tells for each number the memory of the process and of the heap, the time of a
 * poll that finds nothing, and the time of a message's round trip on one of the channels.
 *
 * <pre>java --enable-native-access=ALL-UNNAMED -cp benchmarks.jar io.rdmachannel.bench.ManyChannels TCP 1 1000</pre>
 */
public final class ManyChannels implements AutoCloseable {
    private static final int POLLS = 200_000;
    private static final int ROUND_TRIPS = 20_000;
    private static final int RECEIVE_BYTES = 2048;
    private static final int SPARE = 1024;

    private final Transport transport;
    private final Poller left;
    private final Poller right;
    private final RdmaListener listener;
    private final List<RdmaChannel> channels = new ArrayList<>();
    private long received;

    private ManyChannels(Transport transport, int most) {
        this.transport = transport;
        this.left = Poller.create(config("left", most));
        this.right = Poller.create(config("right", most));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ChannelHandler echo = (channel, buffer, offset, length) -> channel.send(buffer, offset, length);
        this.listener = RdmaListener.bind(any, config(right), () -> echo);
    }

    /**
     * Measures.
     *
     * @param arguments the transport, and how many channels, rising
     * @throws IOException if the memory of the process cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        Transport transport = arguments.length == 0 ? Transport.TCP : Transport.valueOf(arguments[0]);
        int[] counts = arguments.length < 2 ? new int[] {1, 10, 100, 1000} : new int[arguments.length - 1];
        for (int i = 1; i < arguments.length; i++) {
            counts[i - 1] = Integer.parseInt(arguments[i]);
        }
        try (ManyChannels many = new ManyChannels(transport, counts[counts.length - 1])) {
            many.measure(counts);
        }
    }

    @Override
    public void close() {
        channels.forEach(channel -> left.execute(channel::close));
        while (left.channelCount() > 0 || right.channelCount() > 0) {
            left.poll();
            right.poll();
        }
        listener.close();
        left.close();
        right.close();
    }

    private void measure(int[] counts) throws IOException {
        connect(1);
        roundTrips();
        emptyPolls();
        long resident = residentBytes();
        long heap = heapBytes();
        System.out.println("channels over " + transport + " | resident KiB a channel, both ends | heap of that"
                + " | ns a poll of one idle poller | us a round trip");
        for (int count : counts) {
            connect(count);
            roundTrips();
            int more = Math.max(1, count - 1);
            System.out.printf(
                    "%d | %.1f | %.1f | %.0f | %.1f%n",
                    count,
                    (residentBytes() - resident) / 1024.0 / more,
                    (heapBytes() - heap) / 1024.0 / more,
                    emptyPolls(),
                    roundTrips());
        }
    }

    private void connect(int count) {
        while (channels.size() < count) {
            channels.add(LocalConnection.to(listener, config(left), (of, buffer, offset, length) -> received++)
                    .connected());
        }
    }

    private double emptyPolls() {
        for (int i = 0; i < POLLS; i++) {
            left.poll();
        }
        long begin = System.nanoTime();
        for (int i = 0; i < POLLS; i++) {
            left.poll();
        }
        return (System.nanoTime() - begin) / (double) POLLS;
    }

    private double roundTrips() {
        RdmaChannel channel = channels.getFirst();
        MemorySegment message = MemorySegment.ofArray(new byte[64]);
        long begin = System.nanoTime();
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long wanted = received + 1;
            while (!channel.send(message, 0, message.byteSize()).isAccepted()) {
                left.poll();
                right.poll();
            }
            while (received < wanted) {
                left.poll();
                right.poll();
            }
        }
        return (System.nanoTime() - begin) / 1e3 / ROUND_TRIPS;
    }

    private static PollerConfig config(String name, int most) {
        int receives = SharedReceives.GUARANTEED * most + SPARE;
        return PollerConfig.of(name)
                .withMode(CompletionMode.BUSY_POLL)
                .withSharedReceives(new SharedReceives(most, receives, RECEIVE_BYTES))
                .withCompletionQueueCapacity(receives + most * 64);
    }

    private ChannelConfig config(Poller poller) {
        return LocalConnection.config(transport, poller).sendDepth(32).build();
    }

    private static long heapBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static long residentBytes() throws IOException {
        System.gc();
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import com.sun.management.OperatingSystemMXBean;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.Transport;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * What do idle channels use, and how fast do they wake? Connects 64 channels between two pollers in EVENT mode, leaves
 * them alone for 10 s, then wakes one after another by a message that is answered.
 *
 * <pre>java --enable-native-access=ALL-UNNAMED -cp benchmarks.jar io.rdmachannel.bench.IdleChannels [TCP|RDMA]</pre>
 */
public final class IdleChannels {
    private static final int CHANNELS = 64;
    private static final int SECONDS = 10;

    private IdleChannels() {}

    /**
     * Measures.
     *
     * @param arguments the transport
     * @throws Exception if it cannot connect
     */
    public static void main(String[] arguments) throws Exception {
        Transport transport = arguments.length == 0 ? Transport.TCP : Transport.valueOf(arguments[0]);
        SynchronousQueue<Long> answers = new SynchronousQueue<>();
        try (Poller server = Poller.start(PollerConfig.of("server").withMode(CompletionMode.EVENT));
                Poller client = Poller.start(PollerConfig.of("client").withMode(CompletionMode.EVENT))) {
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (RdmaListener listener = RdmaListener.bind(any, config(transport, server), () -> echo())) {
                List<RdmaChannel> channels = new ArrayList<>();
                for (int i = 0; i < CHANNELS; i++) {
                    channels.add(RdmaChannel.connect(listener.address(), config(transport, client), telling(answers)));
                }
                wake(channels, answers);
                OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
                long before = system.getProcessCpuTime();
                TimeUnit.SECONDS.sleep(SECONDS);
                long used = system.getProcessCpuTime() - before;
                long[] wakes = wake(channels, answers);
                Arrays.sort(wakes);
                System.out.printf(
                        "%d idle channels over %s, EVENT: %.1f ms of processor time in %d s, the whole JVM; "
                                + "round trip of a wake-up: median %.0f us, worst of %d %.0f us%n",
                        CHANNELS,
                        transport,
                        used / 1e6,
                        SECONDS,
                        wakes[wakes.length / 2] / 1e3,
                        wakes.length,
                        wakes[wakes.length - 1] / 1e3);
            }
        }
    }

    private static long[] wake(List<RdmaChannel> channels, SynchronousQueue<Long> answers) throws Exception {
        MemorySegment message = MemorySegment.ofArray(new byte[8]);
        long[] nanos = new long[channels.size()];
        for (int i = 0; i < nanos.length; i++) {
            long begin = System.nanoTime();
            channels.get(i).sendAsync(message);
            nanos[i] = answers.take() - begin;
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return nanos;
    }

    private static ChannelConfig config(Transport transport, Poller poller) {
        return LocalConnection.config(transport, poller)
                .receiveDepth(16)
                .sendDepth(16)
                .build();
    }

    private static ChannelHandler echo() {
        return (channel, buffer, offset, length) -> channel.send(buffer, offset, length);
    }

    private static ChannelHandler telling(SynchronousQueue<Long> answers) {
        return (channel, buffer, offset, length) -> {
            try {
                answers.put(System.nanoTime());
            } catch (InterruptedException impossible) {
                Thread.currentThread().interrupt();
            }
        };
    }
}

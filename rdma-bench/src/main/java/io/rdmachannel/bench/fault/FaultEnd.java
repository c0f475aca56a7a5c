// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.fault;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.RecoveryPolicy;
import io.rdmachannel.channel.Transport;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One end of a channel under load. Writes a line for each thing that happens to standard output, in words and
 * {@code key=value} pairs, until a file appears that says stop. Connects, or accepts, again when a channel is over.
 */
@Command(name = "fault-end", description = "One end of a channel under load, while somebody breaks things.")
public final class FaultEnd implements Callable<Integer> {
    private static final Duration LONG = Duration.ofSeconds(120);
    private static final long CHECK_NANOS = 200_000_000L;

    @Option(names = "--connect", description = "the address to connect to; without it this end accepts")
    private String host;

    @Option(names = "--port", defaultValue = "18700", description = "where the listener is")
    private int port;

    @Option(names = "--transport", defaultValue = "AUTO", description = "${COMPLETION-CANDIDATES}")
    private Transport transport;

    @Option(names = "--recovery", defaultValue = "DEGRADE", description = "${COMPLETION-CANDIDATES}")
    private RecoveryPolicy recovery;

    @Option(names = "--stop", required = true, description = "ends when this file is there")
    private Path stop;

    @Option(names = "--recovery-timeout", defaultValue = "60", description = "seconds")
    private int recoveryTimeout;

    @Option(names = "--pace", defaultValue = "5", description = "milliseconds between two messages")
    private int pace;

    private Poller poller;
    private FaultTraffic traffic;
    private long lastCheck;
    private boolean stopping;

    /**
     * Runs.
     *
     * @param arguments options
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FaultEnd()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        poller = Poller.create(PollerConfig.of("fault").withMode(CompletionMode.EVENT));
        ChannelConfig config = ChannelConfig.builder()
                .poller(poller)
                .transport(transport)
                .recovery(recovery)
                .recoveryTimeout(Duration.ofSeconds(recoveryTimeout))
                .returnInterval(Duration.ofSeconds(2))
                .connectTimeout(LONG)
                .handshakeTimeout(Duration.ofSeconds(60))
                .receiveDepth(64)
                .sendDepth(64)
                .build();
        if (host == null) {
            accept(config);
        } else {
            connect(config);
        }
        poller.close();
        return 0;
    }

    private void connect(ChannelConfig config) throws InterruptedException {
        for (int session = 1; !isStopping(); session++) {
            traffic = new FaultTraffic(session, pace);
            RdmaChannel channel = RdmaChannel.connect(new InetSocketAddress(host, port), config, traffic);
            traffic.begin(channel);
            drive(null);
            traffic.end();
        }
    }

    private void accept(ChannelConfig config) {
        int session = 0;
        try (RdmaListener listener =
                RdmaListener.bind(new InetSocketAddress(port), config, () -> traffic = new FaultTraffic(-1, pace))) {
            CompletableFuture<RdmaChannel> next = listener.acceptAsync().toCompletableFuture();
            while (!isStopping()) {
                while (!next.isDone() && !isStopping()) {
                    poller.poll(Duration.ofMillis(20));
                }
                if (next.isDone()) {
                    RdmaChannel channel = next.join();
                    next = listener.acceptAsync().toCompletableFuture();
                    traffic.session(++session);
                    traffic.begin(channel);
                    drive(next);
                    traffic.end();
                }
            }
        }
    }

    /** Until the channel is over, it is time to stop, or another peer is there. */
    private void drive(CompletableFuture<RdmaChannel> another) {
        FaultTraffic current = traffic;
        while (!current.isOver() && !isStopping() && (another == null || !another.isDone())) {
            current.step();
            poller.poll(Duration.ofMillis(1));
        }
        if (another == null || !another.isDone()) {
            current.finish(poller);
        }
    }

    private boolean isStopping() {
        long now = System.nanoTime();
        if (!stopping && now - lastCheck > CHECK_NANOS) {
            lastCheck = now;
            stopping = Files.exists(stop);
        }
        return stopping;
    }
}

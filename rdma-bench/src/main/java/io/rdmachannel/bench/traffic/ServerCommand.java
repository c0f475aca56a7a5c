// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.verbs.RdmaException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rdma-bench server}: waits for clients, and runs what they ask for, one after the other. */
@Command(
        name = "server",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Waits for clients, and takes part in the tests that they ask for, one client after the other.",
        footerHeading = "%n",
        footer = {
            "The client says what is measured and how; the server needs no options but those for its own side. A client"
                    + " that comes while another one is served is told so, and ends.",
            "",
            "Examples:",
            "  rdma-bench server                         port 7471, until it is interrupted",
            "  rdma-bench server --once --cpu 2          for one client, on processor 2",
            "  rdma-bench server --port 9000 --data-port 9001          through a firewall",
            "  rdma-bench server --ib-dev mlx5_0 --transport rdma"
        })
public final class ServerCommand implements Callable<Integer> {
    @Option(
            names = "--address",
            paramLabel = "HOST",
            description = "Address to listen at (default: all of this machine).")
    private String address;

    @Option(
            names = "--data-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "TCP port for the channels with the traffic; 0 is any free one (default: ${DEFAULT-VALUE}).")
    private int dataPort;

    @Option(names = "--once", description = "End after one client; the exit status tells how its test ended.")
    private boolean once;

    @Mixin
    private ConnectionOptions options = new ConnectionOptions();

    @Spec
    private CommandSpec spec;

    private final LinkedBlockingQueue<ControlLink> arrivals = new LinkedBlockingQueue<>();
    private final AtomicReference<ControlLink> served = new AtomicReference<>();

    /** Made by picocli. */
    public ServerCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        options.complaint().ifPresent(complaint -> {
            throw new ParameterException(spec.commandLine(), complaint);
        });
        options.requireTransport(options.transport);
        PollerConfig config = PollerConfig.of("control").withMode(CompletionMode.EVENT);
        try (Poller poller = Poller.start(config);
                RdmaListener listener = RdmaListener.bind(
                        socketAddress(options.port),
                        options.controlConfig(poller),
                        () -> new ControlLink("client", this::arrived))) {
            Thread.ofPlatform().daemon().name("accept").start(() -> acceptAll(listener));
            say("listening on port " + listener.address().getPort());
            return serveAll();
        }
    }

    /** In the control poller's thread: the first one is served, and whoever comes meanwhile is sent away. */
    private void arrived(ControlLink link) {
        ControlLink other = served.compareAndExchange(null, link);
        if (other == null) {
            arrivals.add(link);
            return;
        }
        link.send(ControlMessage.refused("the server is busy with the test of " + other.peerAddress()
                + "; it serves one client after another, so try again later"));
    }

    private int serveAll() throws InterruptedException {
        while (true) {
            ControlLink link = arrivals.take();
            boolean good = serve(link);
            link.close();
            served.set(null);
            if (once) {
                return good ? 0 : 1;
            }
        }
    }

    /** A thread for each client, since one that has been bound to a processor stays bound. */
    private boolean serve(ControlLink link) throws InterruptedException {
        String client = link.peerAddress();
        AtomicReference<String> failure = new AtomicReference<>();
        ServerSession session =
                new ServerSession(options, socketAddress(dataPort), link, line -> say(client + ": " + line));
        Thread thread = Thread.ofPlatform().name("traffic").start(() -> {
            try {
                session.run();
            } catch (ToolException | RdmaException failed) {
                failure.set(failed.getMessage());
            } catch (InterruptedException interrupted) {
                failure.set("interrupted");
            } catch (RuntimeException unexpected) {
                failure.set(unexpected.toString());
                unexpected.printStackTrace(spec.commandLine().getErr());
            }
        });
        thread.join();
        say(client + ": " + (failure.get() == null ? "done" : "failed: " + failure.get()));
        return failure.get() == null;
    }

    private InetSocketAddress socketAddress(int port) {
        if (address == null) {
            return new InetSocketAddress(port);
        }
        InetSocketAddress wanted = new InetSocketAddress(address, port);
        if (wanted.isUnresolved()) {
            throw new ToolException("there is no address '" + address + "': --address wants one of this machine");
        }
        return wanted;
    }

    private static void acceptAll(RdmaListener listener) {
        try {
            while (true) {
                // The link, which is the channel's handler, does all the rest.
                listener.accept(Duration.ofHours(1));
            }
        } catch (ChannelException | InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}

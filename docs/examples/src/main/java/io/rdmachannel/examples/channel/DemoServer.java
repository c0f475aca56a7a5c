// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.examples.support.Arguments;
import io.rdmachannel.examples.support.ExampleException;
import io.rdmachannel.examples.support.Wait;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** The side that answers, in one thread that drives its poller itself. */
final class DemoServer {
    private static final Set<String> OPTIONS = Set.of("address", "port", "transport", "mode", "limit", "clients");

    private final Poller poller;
    private final PrintStream out;
    private final Duration limit;
    /** Handshakes add to it, in threads of their own. */
    private final List<DemoSession> sessions = new CopyOnWriteArrayList<>();

    private DemoServer(Poller poller, PrintStream out, Duration limit) {
        this.poller = poller;
        this.out = out;
        this.limit = limit;
    }

    static void run(PrintStream out, String... arguments) throws InterruptedException {
        Arguments given = Arguments.parse(OPTIONS, arguments);
        int clients = given.number("clients", 1, 1, Integer.MAX_VALUE);
        PollerConfig polling = PollerConfig.of("demo-server").withMode(given.mode());
        try (Poller poller = Poller.create(polling)) {
            Duration limit = given.seconds("limit", 60);
            ChannelConfig config = given.channelConfig(limit).poller(poller).build();
            DemoServer server = new DemoServer(poller, out, limit);
            try (RdmaListener listener =
                    RdmaListener.bind(given.listenAddress(ChannelDemo.PORT), config, server::newSession)) {
                out.println("listening on port " + listener.address().getPort());
                for (int served = 0; served < clients; served++) {
                    server.serve(listener);
                }
            }
        }
    }

    private DemoSession newSession() {
        DemoSession session = new DemoSession();
        sessions.add(session);
        return session;
    }

    /** A client that connects meanwhile is answered too, and accepted when this one has ended. */
    private void serve(RdmaListener listener) throws InterruptedException {
        RdmaChannel channel = listener.accept(limit);
        if (channel == null) {
            throw new ExampleException("no client came within " + limit.toSeconds() + " s");
        }
        out.println("client " + channel.peerAddress() + " over " + DemoClient.transport(channel));
        Wait.until(poller, limit, "the client's end", () -> {
            sessions.forEach(DemoSession::proceed);
            return channel.state().isOver();
        });
        ChannelException failure = channel.failure().orElse(null);
        channel.close();
        if (failure != null) {
            throw failure;
        }
        out.println("client " + channel.peerAddress() + " has closed");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import io.rdmachannel.cm.ConnectionEvent;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A counterpart of rdma-core's {@code rdma_server}: takes one connection, waits for 16 bytes, and sends 16 bytes. */
public final class RdmaServer implements Launcher.Program {
    private static final String USAGE = """
            rdma-server [-s address] [-p port] [-t seconds]
              -s  address to listen on, otherwise all
              -p  port to listen on, 7471
              -t  limit of each wait in seconds, 30""";

    private final InetSocketAddress local;
    private final Duration timeout;

    private RdmaServer(Arguments arguments) {
        this.local = new InetSocketAddress(arguments.address("s", "0.0.0.0"), arguments.port(MessageExchange.PORT));
        this.timeout = arguments.timeout();
    }

    /**
     * Runs the program, and ends the Java machine with 0, or 1 for a failure, or 2 for a wrong command line.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs the program, and returns the exit status. */
    static int run(String[] arguments) {
        return Launcher.run("rdma-server", USAGE, arguments, line -> new RdmaServer(Arguments.parse(line, "", "spt")));
    }

    /** Runs to the end; returns only when all went well. */
    @Override
    public void run() {
        System.out.println("rdma-server: start");
        try (ConnectionEvents events = new ConnectionEvents(timeout)) {
            ConnectionEvent request = events.listenForOne(local);
            try (Connection connection = new Connection(events, request.id())) {
                MessageExchange exchange = new MessageExchange(connection);
                connection.accept(request);
                exchange.receive();
                exchange.echo();
                connection.disconnect();
            }
        }
        System.out.println("rdma-server: end");
    }
}

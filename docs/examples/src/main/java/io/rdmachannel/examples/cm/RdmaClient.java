// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import java.net.InetSocketAddress;
import java.time.Duration;

/** A counterpart of rdma-core's {@code rdma_client}: connects, sends 16 bytes, and waits for 16 bytes. */
public final class RdmaClient implements Launcher.Program {
    private static final String USAGE = """
            rdma-client [-s address] [-p port] [-t seconds]
              -s  address of the server, 127.0.0.1
              -p  its port, 7471
              -t  limit of each wait in seconds, 30""";
    private static final byte CONTENT = 0x5A;

    private final InetSocketAddress server;
    private final Duration timeout;

    private RdmaClient(Arguments arguments) {
        this.server = new InetSocketAddress(arguments.address("s", "127.0.0.1"), arguments.port(MessageExchange.PORT));
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
        return Launcher.run("rdma-client", USAGE, arguments, line -> new RdmaClient(Arguments.parse(line, "", "spt")));
    }

    /** Runs to the end; returns only when all went well. */
    @Override
    public void run() {
        System.out.println("rdma-client: start");
        try (ConnectionEvents events = new ConnectionEvents(timeout);
                Connection connection = new Connection(events, events.resolve(server))) {
            MessageExchange exchange = new MessageExchange(connection);
            exchange.fill(CONTENT);
            connection.connect();
            exchange.send();
            exchange.receive();
            System.out.println("rdma-client: 16 bytes came back" + (exchange.isEchoed() ? ", the same" : ""));
            connection.disconnect();
        }
        System.out.println("rdma-client: end");
    }
}

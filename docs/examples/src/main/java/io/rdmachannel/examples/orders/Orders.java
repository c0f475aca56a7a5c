// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

import io.rdmachannel.channel.ChannelConfigBuilder;
import io.rdmachannel.examples.support.Arguments;
import io.rdmachannel.examples.support.ExampleException;
import io.rdmachannel.examples.support.Program;
import io.rdmachannel.examples.support.UsageException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * The program: {@code gateway} or {@code client}. Its exit status is 0, 1 for a failed run, 2 for a wrong command
 * line.
 */
public final class Orders {
    private static final int PORT = 7481;
    private static final int CLIENTS_MAX = 1000;
    private static final Set<String> OPTIONS =
            Set.of("transport", "mode", "limit", "address", "port", "clients", "orders", "window");
    private static final String USAGE = """
            orders gateway [option...]              take orders
            orders client [option...] HOST[:PORT]   send orders to the gateway at HOST
              --transport rdma|tcp|auto   how the bytes travel (auto)
              --mode busy_poll|event|adaptive  what a waiting side does (adaptive)
              --limit SECONDS             for the whole run (60)
              gateway: --address ADDRESS  to listen at (0.0.0.0)
                       --port PORT        to listen at, 0 for any free one (7481)
                       --clients NUMBER   to serve before it ends (1)
              client:  --clients NUMBER   each with a thread and a channel of its own (1)
                       --orders NUMBER    of each client (100000); every 100th is to be rejected
                       --window NUMBER    orders that may wait for their answers (64)""";

    private Orders() {}

    /**
     * Runs one side and ends the process.
     *
     * @param arguments the side and its options
     */
    public static void main(String[] arguments) {
        System.exit(Program.launch(Orders::run, USAGE, arguments));
    }

    private static void run(PrintStream out, String... arguments) throws InterruptedException {
        String role = arguments.length == 0 ? "" : arguments[0];
        Arguments given = Arguments.parse(
                OPTIONS, Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length));
        switch (role) {
            case "gateway" -> runGateway(out, given);
            case "client" -> runClients(out, given);
            default -> throw new UsageException("begin with \"gateway\" or \"client\"");
        }
    }

    private static void runGateway(PrintStream out, Arguments given) throws InterruptedException {
        Duration limit = given.seconds("limit", 60);
        ChannelConfigBuilder config = given.channelConfig(limit);
        try (Gateway gateway = Gateway.open(given.listenAddress(PORT), config, given.mode())) {
            out.println("listening on port " + gateway.address().getPort());
            gateway.serve(given.number("clients", 1, 1, CLIENTS_MAX), limit);
            out.println("orders " + gateway.accepted() + " acknowledged, " + gateway.rejected() + " rejected");
        }
    }

    private static void runClients(PrintStream out, Arguments given) throws InterruptedException {
        if (given.operands().size() != 1) {
            throw new UsageException("name the gateway: HOST or HOST:PORT");
        }
        InetSocketAddress gateway = Arguments.address(given.operands().getFirst(), PORT);
        OrderRun run = new OrderRun(
                given.number("orders", 100_000, 1, Integer.MAX_VALUE),
                given.number("window", 64, 1, 1 << 20),
                given.seconds("limit", 60));
        OrderReport report = OrderClients.run(
                gateway,
                () -> given.channelConfig(run.limit()),
                given.mode(),
                run,
                given.number("clients", 1, 1, CLIENTS_MAX));
        report.print(out);
        if (report.wrong() > 0) {
            throw new ExampleException(String.format(Locale.ROOT, "%d answers were wrong", report.wrong()));
        }
    }
}

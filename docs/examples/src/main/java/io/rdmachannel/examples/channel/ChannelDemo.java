// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import io.rdmachannel.examples.support.Program;
import io.rdmachannel.examples.support.UsageException;
import java.io.PrintStream;
import java.util.Arrays;

/**
 * The program: {@code server} or {@code client}. Its exit status is 0, 1 for a failed run, 2 for a wrong command
 * line.
 */
public final class ChannelDemo {
    /** Where the server listens unless told otherwise. */
    static final int PORT = 7480;

    private static final String USAGE = """
            channel-demo server [option...]              wait for clients
            channel-demo client [option...] HOST[:PORT]  measure with the server at HOST
              --transport rdma|tcp|auto   how the bytes travel (auto)
              --mode busy_poll|event|adaptive  what a waiting side does (adaptive)
              --limit SECONDS             for each wait (60)
              server: --address ADDRESS   to listen at (0.0.0.0)
                      --port PORT         to listen at, 0 for any free one (7480)
                      --clients NUMBER    to serve before it ends (1)
              client: --iterations NUMBER of each kind (10000)
                      --warm-up NUMBER    of each kind before, which are not counted (2000)""";

    private ChannelDemo() {}

    /**
     * Runs one role and ends the process.
     *
     * @param arguments the role and its options
     */
    public static void main(String[] arguments) {
        System.exit(Program.launch(ChannelDemo::run, USAGE, arguments));
    }

    private static void run(PrintStream out, String... arguments) throws InterruptedException {
        String role = arguments.length == 0 ? "" : arguments[0];
        Program program = switch (role) {
            case "server" -> DemoServer::run;
            case "client" -> DemoClient::run;
            default -> throw new UsageException("begin with \"server\" or \"client\"");
        };
        program.run(out, Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}

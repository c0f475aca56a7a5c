// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import io.rdmachannel.verbs.RdmaException;
import java.io.IOException;
import java.io.PrintStream;

/** The program. Its exit status is 0 when all went well, 1 when the run failed, 2 when the command line is wrong. */
public final class Main {
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private Main() {}

    /**
     * Runs one side and ends the process.
     *
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        System.exit(run(System.out, System.err, arguments));
    }

    /**
     * Runs one side; blocks until it has ended, and leaves nothing open.
     *
     * @param out where results go
     * @param err where errors and notes go
     * @param arguments see {@code --help}
     * @return the exit status
     */
    public static int run(PrintStream out, PrintStream err, String... arguments) {
        try {
            Arguments given = new Arguments(arguments);
            if (given.has(Option.HELP)) {
                out.println(Option.usage());
                return OK;
            }
            new PingPong(Options.of(given), out, err).run();
            return OK;
        } catch (UsageException wrong) {
            err.println("ping-pong: " + wrong.getMessage() + " (try --help)");
            return USAGE;
        } catch (PingPongException | RdmaException | IOException failure) {
            err.println("ping-pong: " + failure.getMessage());
            return FAILED;
        }
    }
}

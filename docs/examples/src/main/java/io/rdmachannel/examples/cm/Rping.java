// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

/**
 * A counterpart of rdma-core's {@code rping}, which it understands as client and as server. The client tells where its
 * data is; the server reads it by RDMA, and writes it back to where it is told next.
 */
public final class Rping {
    private Rping() {}

    /**
     * Runs the program, and ends the Java machine with 0, or 1 for a failure, or 2 for a wrong command line.
     *
     * @param arguments the command line; see {@code rping} without any
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /**
     * Runs the program.
     *
     * @param arguments the command line
     * @return the exit status
     */
    static int run(String[] arguments) {
        return Launcher.run("rping", RpingOptions.USAGE, arguments, line -> {
            RpingOptions options = RpingOptions.parse(line);
            return options.server() ? new RpingServer(options) : new RpingClient(options);
        });
    }
}

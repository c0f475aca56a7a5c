// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.tool;

import io.rdmachannel.bench.inspect.DevicesCommand;
import io.rdmachannel.bench.inspect.DoctorCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of {@code rdma-bench}: finds the command and runs it. */
@Command(
        name = "rdma-bench",
        mixinStandardHelpOptions = true,
        description = "Looks at RDMA devices, says what is wrong with them, and measures channels over RDMA and TCP.",
        subcommands = {DevicesCommand.class, DoctorCommand.class})
public final class RdmaBench {
    private RdmaBench() {}

    /**
     * Runs the tool and ends the process with the command's exit code.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /**
     * Makes the command line, for the process and for tests.
     *
     * @return a new one
     */
    public static CommandLine commandLine() {
        return new CommandLine(new RdmaBench());
    }
}

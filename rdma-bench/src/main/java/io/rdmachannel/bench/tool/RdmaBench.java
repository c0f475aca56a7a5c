// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.tool;

import io.rdmachannel.bench.compare.CompareCommand;
import io.rdmachannel.bench.inspect.DevicesCommand;
import io.rdmachannel.bench.inspect.DoctorCommand;
import io.rdmachannel.bench.report.ReportCommand;
import io.rdmachannel.bench.traffic.ClientCommand;
import io.rdmachannel.bench.traffic.ServerCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of {@code rdma-bench}: finds the command and runs it. */
@Command(
        name = "rdma-bench",
        mixinStandardHelpOptions = true,
        versionProvider = ToolVersion.class,
        description = "Looks at RDMA devices, says what is wrong with them, and measures channels over RDMA and TCP.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DevicesCommand.class,
            DoctorCommand.class,
            ServerCommand.class,
            ClientCommand.class,
            CompareCommand.class,
            ReportCommand.class
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:what was asked has been done", "1:it failed; standard error says why", "2:wrong usage"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  rdma-bench doctor                                what stands in the way of RDMA here",
            "  rdma-bench server                                on one machine",
            "  rdma-bench client 192.0.2.1 send-lat             on the other one",
            "  rdma-bench client 192.0.2.1 send-lat -a --format json --output rdma.json",
            "  rdma-bench compare --ib-dev mlx5_0 --cpus 2,4    beside perftest's C programs",
            "  rdma-bench report rdma.json tcp.json -o report.html",
            "",
            "rdma-bench COMMAND --help tells more of each."
        })
public final class RdmaBench {
    private RdmaBench() {}

    /**
     * Runs the tool and ends the process with the command's exit code.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        // What channels log as information is part of the tool's own output.
        if (System.getProperty("org.slf4j.simpleLogger.defaultLogLevel") == null) {
            System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
        }
        System.exit(commandLine().execute(arguments));
    }

    /**
     * Makes the command line, for the process and for tests.
     *
     * @return a new one
     */
    public static CommandLine commandLine() {
        return new CommandLine(new RdmaBench())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(new FailureReport())
                .setUsageHelpAutoWidth(true);
    }
}

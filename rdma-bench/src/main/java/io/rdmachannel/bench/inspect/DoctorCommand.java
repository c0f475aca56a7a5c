// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rdmachannel.bench.inspect.doctor.Doctor;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Peer;
import io.rdmachannel.bench.inspect.doctor.Request;
import io.rdmachannel.bench.inspect.doctor.checks.AllChecks;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code doctor}. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 100,
        header = "Says what keeps RDMA from working, or makes it slow, and how to put it right.",
        description = {
            "",
            "Looks at libraries, kernel modules, device nodes, limits, ports, addresses, routes, MTU, flow "
                    + "control, NUMA, huge pages, IOMMU, control groups, namespaces and power settings. It changes "
                    + "nothing, sends nothing but one TCP connection attempt to a --peer with a port, and needs no "
                    + "RDMA to run.",
            "",
            "OK       as it should be",
            "WARNING  works, but slower or not in every case",
            "PROBLEM  RDMA does not work",
            "UNKNOWN  cannot be found out from here",
            "n/a      there is nothing to look at (NOT_APPLICABLE in JSON)",
            "",
            "Below a check, '->' is a remedy: words, then a command or setting to copy. Words in upper case "
                    + "in it are for you to replace. Run it as the user, and in the container, that the program runs "
                    + "in: limits and permissions are those of the process.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:no problem", "1:at least one problem, or the doctor itself failed", "2:wrong use"},
        footer = {
            "",
            "Examples:",
            "  rdma-bench doctor",
            "  rdma-bench doctor --address 192.0.2.1 --peer 192.0.2.2:7471",
            "  rdma-bench doctor --format json | jq '.checks[] | select(.status == \"PROBLEM\")'"
        })
public final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private InspectOptions options;

    @Option(
            names = "--peer",
            paramLabel = "HOST[:PORT]",
            converter = PeerConverter.class,
            description = "Also look at the way to this host and, with a TCP port, whether it answers within 3 s."
                    + " Write [IPV6]:PORT for IPv6. Default: no peer.")
    private Peer peer;

    @Spec
    private CommandSpec spec;

    /** Made by picocli. */
    public DoctorCommand() {}

    @Override
    public Integer call() throws JsonProcessingException {
        Environment environment = Environment.live(new Request(options.address(), Optional.ofNullable(peer)));
        DoctorReport report = DoctorReport.of(new Doctor(AllChecks.list()).examine(environment));
        options.write(spec.commandLine().getOut(), report, out -> DoctorTable.write(report, out));
        return report.problems() == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** Gives the forms of a peer in the error. */
    static final class PeerConverter implements CommandLine.ITypeConverter<Peer> {
        @Override
        public Peer convert(String text) {
            try {
                return Peer.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new CommandLine.TypeConversionException(wrong.getMessage());
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rdmachannel.bench.inspect.devices.DeviceInspection;
import io.rdmachannel.bench.inspect.devices.DeviceInventory;
import io.rdmachannel.bench.inspect.devices.DeviceTable;
import java.net.SocketException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code devices}. */
@Command(
        name = "devices",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 100,
        header = "Shows the RDMA devices of this machine, and which one a channel would use.",
        description = {
            "",
            "For each device: driver, place (PCI, NUMA node, near processors), firmware, limits, and for "
                    + "each port its state, link, payload of packets and GID table. For each address of this host: the "
                    + "device, port and GID that a channel with default settings takes when its connection has that "
                    + "local address. Loopback addresses may use any device.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:a device can be used, with --address by that address",
            "1:there is none; the output says why",
            "2:wrong use"
        },
        footer = {
            "",
            "Examples:",
            "  rdma-bench devices",
            "  rdma-bench devices --address 192.0.2.1",
            "  rdma-bench devices --format json | jq -r '.devices[].ports[].gids[] | \"\\(.index) \\(.address)\"'"
        })
public final class DevicesCommand implements Callable<Integer> {
    @Mixin
    private InspectOptions options;

    @Spec
    private CommandSpec spec;

    /** Made by picocli. */
    public DevicesCommand() {}

    @Override
    public Integer call() throws JsonProcessingException, SocketException {
        DeviceInventory inventory = new DeviceInspection().inspect(options.address());
        options.write(spec.commandLine().getOut(), inventory, out -> new DeviceTable(out).write(inventory));
        return inventory.isUsable(options.address().isPresent())
                ? CommandLine.ExitCode.OK
                : CommandLine.ExitCode.SOFTWARE;
    }
}

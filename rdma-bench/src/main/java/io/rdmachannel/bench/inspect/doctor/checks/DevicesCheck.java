// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SystemTree;
import java.util.Optional;

/** Whether the kernel has RDMA devices at all. */
final class DevicesCheck implements Check {
    private static final String INTERFACES = "/sys/class/net";
    private static final String ETHERNET = "1";

    @Override
    public String name() {
        return "devices";
    }

    @Override
    public Finding run(Environment environment) {
        Finding finding = Finding.nothing();
        for (SysfsDevice device : environment.devices()) {
            finding = finding.and(device(environment.files(), device));
        }
        return environment.devices().isEmpty() ? none(environment.files()) : finding;
    }

    private static Finding device(SystemTree files, SysfsDevice device) {
        String type = files.read("/sys/class/infiniband/" + device.name() + "/node_type")
                .orElse("");
        return type.endsWith("RNIC")
                ? Finding.of(
                        Status.WARNING,
                        describe(device) + ": it speaks iWARP, over which channels do not connect",
                        new Remedy("use a device of RoCE or InfiniBand; io.rdmachannel.cm works with iWARP", null))
                : Finding.of(Status.OK, describe(device));
    }

    private static String describe(SysfsDevice device) {
        String driver = device.driver().isEmpty() ? "unknown driver" : "driver " + device.driver();
        return device.name() + ": " + driver + (device.isSoftware() ? ", in software" : ", PCI " + device.address())
                + (device.networkInterfaces().isEmpty() ? "" : ", on " + String.join(", ", device.networkInterfaces()));
    }

    private static Finding none(SystemTree files) {
        String network = softRoceInterface(files).orElse("NETDEV");
        return Finding.of(
                Status.PROBLEM,
                "the kernel has no RDMA device; channels go over TCP",
                new Remedy(
                        "with an adapter: load its driver, mlx5_ib for ConnectX-4 and newer; 'lspci' names the adapter",
                        null),
                new Remedy(
                        "without one, to try things out: Soft-RoCE on a network interface",
                        "modprobe rdma_rxe && rdma link add rxe0 type rxe netdev " + network),
                new Remedy(
                        "in a container or virtual machine: the host must hand a device in; see docs/operations.md",
                        null));
    }

    /** The first Ethernet interface that has a link. */
    private static Optional<String> softRoceInterface(SystemTree files) {
        return files.list(INTERFACES).stream()
                .filter(name ->
                        files.read(INTERFACES + "/" + name + "/type").orElse("").equals(ETHERNET))
                .filter(name -> files.read(INTERFACES + "/" + name + "/carrier")
                        .orElse("")
                        .equals("1"))
                .findFirst();
    }
}

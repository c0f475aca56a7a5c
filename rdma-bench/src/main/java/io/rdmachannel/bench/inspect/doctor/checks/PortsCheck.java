// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SysfsPort;
import io.rdmachannel.bench.inspect.system.SystemTree;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The state of each port, and of the network interface below it. */
final class PortsCheck implements Check {
    @Override
    public String name() {
        return "ports";
    }

    @Override
    public Finding run(Environment environment) {
        List<SysfsPort> ports = environment.ports();
        if (ports.isEmpty()) {
            return Finding.of(Status.NOT_APPLICABLE, "no device has a port");
        }
        // A second port without a cable is usual, and no obstacle.
        Status inactive = ports.stream().anyMatch(SysfsPort::isActive) ? Status.WARNING : Status.PROBLEM;
        Finding finding = Finding.nothing();
        for (SysfsDevice device : environment.devices()) {
            for (SysfsPort port : device.ports()) {
                finding = finding.and(
                        port.isActive()
                                ? Finding.of(Status.OK, describe(port))
                                : down(environment.files(), device, port, inactive));
            }
        }
        return finding;
    }

    private static String describe(SysfsPort port) {
        return port + ": " + port.state() + ", " + port.physicalState() + ", " + port.linkLayer() + ", " + port.rate();
    }

    private static Finding down(SystemTree files, SysfsDevice device, SysfsPort port, Status status) {
        if (!port.isEthernet()) {
            return Finding.of(status, describe(port), infiniband(port.state()));
        }
        List<Remedy> remedies = new ArrayList<>();
        StringBuilder seen = new StringBuilder(describe(port));
        for (String network : interfaces(device, port)) {
            String state =
                    files.read("/sys/class/net/" + network + "/operstate").orElse("not here");
            seen.append("; interface ").append(network).append(" is ").append(state);
            remedies.add(new Remedy("bring the interface up", "ip link set dev " + network + " up"));
        }
        remedies.add(new Remedy("if it stays down: look at the cable and at the switch's port", null));
        return new Finding(status, List.of(seen.toString()), remedies);
    }

    private static Remedy infiniband(String state) {
        return switch (state) {
            case "INIT" ->
                new Remedy(
                        "the link is up and waits for a subnet manager: start one, in a switch or on one host",
                        "systemctl start opensm");
            case "ARMED" -> new Remedy("the subnet manager is about to activate the port: look again", null);
            default -> new Remedy("no link: look at cable, transceiver and the switch's port", "ibstat");
        };
    }

    private static Set<String> interfaces(SysfsDevice device, SysfsPort port) {
        Set<String> names = new LinkedHashSet<>(port.networkInterfaces());
        if (names.isEmpty()) {
            names.addAll(device.interfaces());
        }
        return names;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SysfsPort;
import java.util.LinkedHashSet;
import java.util.Set;

/** The payload of a RoCE packet, which follows from the interface's MTU: a power of two below it, less the headers. */
final class MtuCheck implements Check {
    /** Global route 40, UDP 8, base transport 12, extensions 32 at most, check sum 4: what the kernel subtracts. */
    private static final int HEADERS = 96;

    private static final int LARGEST = 4096;
    private static final int ADVICE = 4200;

    @Override
    public String name() {
        return "MTU";
    }

    @Override
    public Finding run(Environment environment) {
        Finding finding = Finding.nothing();
        for (SysfsDevice device : environment.devices()) {
            for (SysfsPort port : device.ports()) {
                if (port.isActive()) {
                    finding = finding.and(port(environment, device, port));
                }
            }
        }
        return finding.seen().isEmpty() ? finding.and(Status.NOT_APPLICABLE, "no port is active") : finding;
    }

    private static Finding port(Environment environment, SysfsDevice device, SysfsPort port) {
        int active = environment.library().activeMtu(device.name(), port.number());
        String told = active == 0 ? "not told" : active + " bytes";
        if (!port.isEthernet()) {
            return Finding.of(Status.OK, port + ": payload of a packet " + told + ", set by the subnet manager");
        }
        Set<String> networks = new LinkedHashSet<>(port.networkInterfaces());
        Finding finding = Finding.nothing();
        for (String network : networks.isEmpty() ? device.interfaces() : networks) {
            finding = finding.and(interfaceOf(environment, port, network, told));
        }
        return finding;
    }

    private static Finding interfaceOf(Environment environment, SysfsPort port, String network, String told) {
        int mtu = environment
                .files()
                .read("/sys/class/net/" + network + "/mtu")
                .map(Integer::parseInt)
                .orElse(0);
        if (mtu == 0) {
            return Finding.of(Status.UNKNOWN, port + ": interface " + network + " is not in this network namespace");
        }
        String seen = port + ": MTU of " + network + " is " + mtu + ", payload of a packet " + told;
        return mtu >= LARGEST + HEADERS
                ? Finding.of(Status.OK, seen)
                : Finding.of(
                        Status.WARNING,
                        seen + "; " + LARGEST + " bytes need an MTU of " + (LARGEST + HEADERS)
                                + " on all hosts and switches of the way",
                        new Remedy(
                                "raise it on every host; the switches must carry it already, or large messages hang",
                                "ip link set dev " + network + " mtu " + ADVICE));
    }
}

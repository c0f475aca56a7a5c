// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.LocalAddress;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SysfsGid;
import io.rdmachannel.bench.inspect.system.SysfsPort;
import java.net.SocketException;
import java.util.Collection;
import java.util.List;

/**
 * Whether each active port has an IP address: on RoCE it makes the GID by which peers find the port, and everywhere
 * channels find their device by it.
 */
final class AddressesCheck implements Check {
    @Override
    public String name() {
        return "addresses";
    }

    @Override
    public Finding run(Environment environment) throws SocketException {
        List<LocalAddress> addresses = environment.library().addresses();
        Finding finding = Finding.nothing();
        for (SysfsDevice device : environment.devices()) {
            for (SysfsPort port : device.ports()) {
                if (port.isActive()) {
                    finding = finding.and(
                            port.isEthernet() ? roce(device, port, addresses) : infiniband(device, port, addresses));
                }
            }
        }
        return finding.seen().isEmpty() ? finding.and(Status.NOT_APPLICABLE, "no port is active") : finding;
    }

    private static Finding roce(SysfsDevice device, SysfsPort port, List<LocalAddress> addresses) {
        List<SysfsGid> routable =
                port.gids().stream().filter(SysfsGid::isRoutable).toList();
        if (!routable.isEmpty()) {
            return Finding.of(Status.OK, port + " has routable GIDs: " + routable);
        }
        Collection<String> networks =
                port.networkInterfaces().isEmpty() ? device.interfaces() : port.networkInterfaces();
        List<String> unused = routable(addresses, networks);
        if (!unused.isEmpty()) {
            return Finding.of(
                    Status.PROBLEM,
                    port + " has no routable GID, though its interface has " + unused
                            + ": the kernel has not made one of it",
                    new Remedy("take the address away and add it again", "ip address add ADDRESS/PREFIX dev NETDEV"));
        }
        String network = networks.isEmpty() ? "NETDEV" : networks.iterator().next();
        return Finding.of(
                Status.PROBLEM,
                port + " has no routable GID: its interface " + network + " has no IP address",
                new Remedy("give it one", "ip address add ADDRESS/PREFIX dev " + network));
    }

    private static Finding infiniband(SysfsDevice device, SysfsPort port, List<LocalAddress> addresses) {
        List<String> there = routable(addresses, device.interfaces());
        if (!there.isEmpty()) {
            return Finding.of(Status.OK, port + " has IPoIB addresses: " + there);
        }
        String network =
                device.interfaces().isEmpty() ? "ib0" : device.interfaces().getFirst();
        return Finding.of(
                Status.WARNING,
                port + " has no IPoIB address, so that channels do not find it by their own address",
                new Remedy("give it one", "ip address add ADDRESS/PREFIX dev " + network),
                new Remedy("or name the device in the channel's settings", "rdma.device=" + device.name()));
    }

    private static List<String> routable(List<LocalAddress> addresses, Collection<String> networks) {
        return addresses.stream()
                .filter(address -> networks.contains(address.networkInterface()))
                .filter(address -> !address.address().isLinkLocalAddress())
                .map(LocalAddress::text)
                .toList();
    }
}

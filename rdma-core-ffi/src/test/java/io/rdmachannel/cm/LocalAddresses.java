// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.GidEntry;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The IP addresses that the test device has, taken from its GID table. */
final class LocalAddresses {
    private LocalAddresses() {}

    static Optional<InetSocketAddress> ipv4(int port) {
        return first(entry -> entry.gid().isIpv4Mapped(), port);
    }

    static Optional<InetSocketAddress> ipv6(int port) {
        return first(entry -> !entry.gid().isIpv4Mapped() && !entry.gid().isLinkLocal(), port);
    }

    static Optional<InetSocketAddress> linkLocal(int port) {
        return first(entry -> entry.gid().isLinkLocal() && entry.networkInterfaceIndex() > 0, port);
    }

    private static Optional<InetSocketAddress> first(Predicate<GidEntry> wanted, int port) {
        return entries().stream()
                .filter(wanted)
                .map(entry -> new InetSocketAddress(address(entry), port))
                .findFirst();
    }

    private static List<GidEntry> entries() {
        RdmaDevice device = RdmaDevice.find();
        try (DeviceContext context = device.open()) {
            return context.gidTable(device.port());
        }
    }

    private static InetAddress address(GidEntry entry) {
        Gid gid = entry.gid();
        try {
            return gid.isLinkLocal()
                    ? Inet6Address.getByAddress(null, gid.bytes(), entry.networkInterfaceIndex())
                    : gid.toInetAddress();
        } catch (UnknownHostException impossible) {
            throw new AssertionError("a GID has the length of an IPv6 address", impossible);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GidType;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which of a port's GIDs to use towards a peer that has been reached over TCP: the one that is the local address of
 * that connection, else one of the same network interface; RoCE v2 rather than v1, which no router passes on; an
 * address that can be routed rather than a link-local one; the same IP version as the connection.
 *
 * @param local the local address of the TCP connection
 * @param networkInterfaceIndex the number of the network interface that has it; 0 when not known
 */
record GidChoice(InetAddress local, int networkInterfaceIndex) {
    static GidChoice towards(InetAddress local) {
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(local);
            return new GidChoice(local, found == null ? 0 : found.getIndex());
        } catch (SocketException unknown) {
            return new GidChoice(local, 0);
        }
    }

    Optional<GidEntry> best(List<GidEntry> table) {
        return table.stream()
                .filter(entry -> !entry.gid().isZero() && !entry.gid().isMulticast())
                .min(first(this::isLocalAddress)
                        .thenComparing(first(this::isOnInterface))
                        .thenComparing(first(entry -> entry.type() == GidType.ROCE_V2))
                        .thenComparing(first(entry -> !entry.gid().isLinkLocal()))
                        .thenComparing(first(this::hasSameVersion))
                        .thenComparing(GidEntry::index));
    }

    private interface Property {
        boolean of(GidEntry entry);
    }

    private static Comparator<GidEntry> first(Property property) {
        return Comparator.comparing(entry -> !property.of(entry));
    }

    private boolean isLocalAddress(GidEntry entry) {
        return entry.gid().toInetAddress().equals(local);
    }

    private boolean isOnInterface(GidEntry entry) {
        return networkInterfaceIndex != 0 && entry.networkInterfaceIndex() == networkInterfaceIndex;
    }

    private boolean hasSameVersion(GidEntry entry) {
        return entry.gid().toInetAddress().getClass() == local.getClass();
    }
}

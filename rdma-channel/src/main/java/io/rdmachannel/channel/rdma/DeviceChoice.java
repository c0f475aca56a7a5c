// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GidType;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which device, port and GID a connection uses.
 *
 * @param device the device's name
 * @param port the port, from 1
 * @param ethernet whether peers are found by GID, not by LID
 * @param entry the GID, with its place in the table; null on InfiniBand, unless one was asked for
 */
record DeviceChoice(String device, int port, boolean ethernet, GidEntry entry) {
    private static final int BEST = 0;
    private static final int GOOD = 1;
    private static final int USABLE = 2;
    private static final int LAST = 3;
    private static final int ON_LOOPBACK = 4;
    private static final int UNWANTED = 5;

    /**
     * Chooses. What the configuration names is taken; the rest is the active port that has the local address, for
     * loopback addresses any active port.
     *
     * @param candidates the ports there are
     * @param config names device, port and GID index, or leaves them open
     * @param local the local address of the control connection
     * @return the choice; empty when no port will do
     */
    static Optional<DeviceChoice> among(List<PortCandidate> candidates, ChannelConfig config, LocalAddress local) {
        return candidates.stream()
                .filter(PortCandidate::isActive)
                .filter(port -> config.device().isEmpty() || port.device().equals(config.device()))
                .filter(port -> config.port() == 0 || port.port() == config.port())
                .filter(port -> !config.device().isEmpty() || local.isLoopback() || carries(port, local))
                .flatMap(port -> at(port, config, local).stream())
                .min(Comparator.comparingInt(choice -> rank(choice, local)));
    }

    /** The GID to tell to peers: all zeros for none. */
    Gid gid() {
        return entry == null ? EndDescription.NO_GID : entry.gid();
    }

    @Override
    public String toString() {
        return device + " port " + port + (entry == null ? "" : " GID " + entry.index() + " (" + entry.gid() + ")");
    }

    private static Optional<DeviceChoice> at(PortCandidate port, ChannelConfig config, LocalAddress local) {
        if (config.gidIndex() >= 0) {
            return port.gids().stream()
                    .filter(entry -> entry.index() == config.gidIndex())
                    .findFirst()
                    .map(entry -> new DeviceChoice(port.device(), port.port(), port.isEthernet(), entry));
        }
        if (!port.isEthernet()) {
            return Optional.of(new DeviceChoice(port.device(), port.port(), false, null));
        }
        return best(port.gids(), config, local).map(entry -> new DeviceChoice(port.device(), port.port(), true, entry));
    }

    private static Optional<GidEntry> best(List<GidEntry> gids, ChannelConfig config, LocalAddress local) {
        boolean any = local.isLoopback() || !config.device().isEmpty();
        return gids.stream()
                .filter(entry -> !entry.gid().isZero() && !entry.gid().isMulticast())
                .filter(entry -> any || isAddress(entry, local) || isOnInterface(entry, local))
                .min(first(entry -> entry.type() == GidType.ROCE_V2)
                        .thenComparing(first(entry -> isAddress(entry, local)))
                        .thenComparing(first(entry -> isOnInterface(entry, local)))
                        .thenComparing(first(entry -> !entry.gid().isLinkLocal()))
                        .thenComparing(first(entry -> isSameVersion(entry, local)))
                        .thenComparing(GidEntry::index));
    }

    private static Comparator<GidEntry> first(Predicate<GidEntry> wish) {
        return Comparator.comparing(entry -> !wish.test(entry));
    }

    /** The smaller the better; among equals the first one counts. */
    private static int rank(DeviceChoice choice, LocalAddress local) {
        GidEntry entry = choice.entry;
        if (entry == null) {
            return local.isLoopback() ? UNWANTED : GOOD;
        }
        if (entry.type() != GidType.ROCE_V2) {
            return UNWANTED + (isAddress(entry, local) ? 0 : 1);
        }
        if (isOnLoopback(entry)) {
            return ON_LOOPBACK;
        }
        if (isAddress(entry, local)) {
            return BEST;
        }
        return local.isLoopback() && !entry.gid().isIpv4Mapped() ? LAST : USABLE;
    }

    private static boolean carries(PortCandidate port, LocalAddress local) {
        boolean byGuid = !port.isEthernet()
                && local.portGuid() != 0
                && port.gids().stream().anyMatch(entry -> guid(entry.gid()) == local.portGuid());
        return byGuid || port.gids().stream().anyMatch(entry -> isAddress(entry, local) || isOnInterface(entry, local));
    }

    /** A software device on {@code lo}, which reaches nobody else, and on which connections are known to hang. */
    private static boolean isOnLoopback(GidEntry entry) {
        return entry.gid().toInetAddress().isLoopbackAddress();
    }

    private static boolean isAddress(GidEntry entry, LocalAddress local) {
        return entry.gid().equals(Gid.ofInetAddress(local.address()));
    }

    private static boolean isOnInterface(GidEntry entry, LocalAddress local) {
        return local.interfaceIndex() != 0 && entry.networkInterfaceIndex() == local.interfaceIndex();
    }

    private static boolean isSameVersion(GidEntry entry, LocalAddress local) {
        return entry.gid().isIpv4Mapped() == Gid.ofInetAddress(local.address()).isIpv4Mapped();
    }

    /** The last 8 bytes, which on InfiniBand are the port's GUID. */
    private static long guid(Gid gid) {
        return ByteBuffer.wrap(gid.bytes()).getLong(Long.BYTES);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.devices;

import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GidType;
import io.rdmachannel.verbs.LinkLayer;
import io.rdmachannel.verbs.PortAttributes;
import io.rdmachannel.verbs.PortState;
import java.util.List;

/**
 * A port of a device.
 *
 * @param port its number, from 1
 * @param state whether it can be used
 * @param physicalState the state of the link, in sysfs's word; empty when not told
 * @param linkLayer InfiniBand or Ethernet
 * @param activeMtu the largest payload of a packet now, in bytes; 0 when not known
 * @param maxMtu the largest payload that the port supports, in bytes; 0 when not known
 * @param lanes the width of the link; 0 when not known
 * @param laneMegabitsPerSecond the speed of a lane; 0 when not known
 * @param rate width and speed in sysfs's words; empty when not told
 * @param lid the local identifier on InfiniBand; 0 on Ethernet
 * @param maxMessageBytes the most bytes in one message
 * @param gids the filled entries of the GID table
 */
public record PortEntry(
        int port,
        PortState state,
        String physicalState,
        LinkLayer linkLayer,
        int activeMtu,
        int maxMtu,
        int lanes,
        int laneMegabitsPerSecond,
        String rate,
        int lid,
        long maxMessageBytes,
        List<GidRow> gids) {
    /** Copies the list. */
    public PortEntry {
        gids = List.copyOf(gids);
    }

    /**
     * An entry of the GID table.
     *
     * @param index where in the table, from 0
     * @param type InfiniBand, or the version of RoCE
     * @param gid the GID
     * @param address the IP address that the GID is on RoCE; null on InfiniBand
     * @param networkInterface its network interface; null for none
     */
    public record GidRow(int index, GidType type, String gid, String address, String networkInterface) {
        static GidRow of(GidEntry entry) {
            String address = entry.type() == GidType.INFINIBAND
                    ? null
                    : entry.gid().isIpv4Mapped()
                            ? entry.gid().toInetAddress().getHostAddress()
                            : entry.gid().toString();
            return new GidRow(
                    entry.index(), entry.type(), entry.gid().toString(), address, entry.networkInterfaceName());
        }
    }

    static PortEntry of(PortAttributes port, String physicalState, String rate, List<GidEntry> gids) {
        return new PortEntry(
                port.port(),
                port.state(),
                physicalState,
                port.linkLayer(),
                port.activeMtu().bytes(),
                port.maxMtu().bytes(),
                port.link().lanes(),
                port.link().laneMegabitsPerSecond(),
                rate,
                port.lid(),
                port.maxMessageSize(),
                gids.stream().map(GidRow::of).toList());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import java.util.Objects;

/**
 * One filled entry of a port's GID table. The index is good on this host only, and may change when addresses do:
 * exchange GIDs with peers, never indexes. See {@code ibv_query_gid_ex(3)}.
 *
 * <p>An immutable value: any thread may use it, and there is nothing to close.
 *
 * @param gid the GID
 * @param index where in the table, from 0; empty entries in between are usual
 * @param port the local port, 1 to 255
 * @param type the protocol of packets sent from it
 * @param networkInterfaceIndex the number of the network interface, 0 for none
 * @param networkInterfaceName the name of the network interface such as {@code eth0}; null for none or when not known
 */
public record GidEntry(
        Gid gid, int index, int port, GidType type, int networkInterfaceIndex, String networkInterfaceName) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when the index, the port or the interface's number is out of its range
     */
    public GidEntry {
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(type, "type");
        Ranges.requirePort(port);
        Ranges.require("GID index", index, 0, Integer.MAX_VALUE, "take one from the port's GID table");
        Ranges.require(
                "network interface index", networkInterfaceIndex, 0, Integer.MAX_VALUE, "give 0 when there is none");
    }
}

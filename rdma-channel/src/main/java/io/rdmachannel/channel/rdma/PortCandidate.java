// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.LinkLayer;
import io.rdmachannel.verbs.PortAttributes;
import io.rdmachannel.verbs.PortState;
import java.util.ArrayList;
import java.util.List;

/**
 * A port that a connection could go through.
 *
 * @param device the device's name
 * @param port the port, from 1
 * @param state its state
 * @param linkLayer InfiniBand or Ethernet
 * @param gids the filled entries of its GID table
 */
record PortCandidate(String device, int port, PortState state, LinkLayer linkLayer, List<GidEntry> gids) {
    /** The ports of an open device. */
    static List<PortCandidate> of(DeviceContext context) {
        List<PortCandidate> candidates = new ArrayList<>();
        int ports = context.attributes().portCount();
        for (int port = 1; port <= ports; port++) {
            PortAttributes attributes = context.port(port);
            candidates.add(new PortCandidate(
                    context.device().name(), port, attributes.state(), attributes.linkLayer(), context.gidTable(port)));
        }
        return candidates;
    }

    boolean isActive() {
        return state == PortState.ACTIVE;
    }

    boolean isEthernet() {
        return linkLayer == LinkLayer.ETHERNET;
    }

    @Override
    public String toString() {
        List<String> entries = gids.stream()
                .map(entry -> entry.index() + " " + entry.gid() + " " + entry.type())
                .toList();
        return "port " + port + " of " + device + " (" + state + ", " + linkLayer + ", GIDs " + entries + ")";
    }
}

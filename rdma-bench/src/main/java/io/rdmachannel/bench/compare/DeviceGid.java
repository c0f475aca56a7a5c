// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GidType;
import io.rdmachannel.verbs.LinkLayer;
import java.util.Comparator;

/** Chooses the entry of a GID table that both programs use. */
final class DeviceGid {
    private DeviceGid() {}

    /**
     * Chooses.
     *
     * @param device the device
     * @param port its port
     * @return RoCE v2 before v1, IPv4 before other addresses, link-local last; -1 on InfiniBand, which needs none
     */
    static int best(Device device, int port) {
        try (DeviceContext context = device.open()) {
            if (context.port(port).linkLayer() == LinkLayer.INFINIBAND) {
                return -1;
            }
            return context.gidTable(port).stream()
                    .min(Comparator.comparingInt(DeviceGid::rank))
                    .map(GidEntry::index)
                    .orElse(-1);
        }
    }

    private static int rank(GidEntry entry) {
        int type = entry.type() == GidType.ROCE_V2 ? 0 : 4;
        int address = entry.gid().isIpv4Mapped() ? 0 : entry.gid().isLinkLocal() ? 2 : 1;
        return type + address;
    }
}

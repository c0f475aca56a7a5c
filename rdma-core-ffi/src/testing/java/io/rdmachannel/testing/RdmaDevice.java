// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GidType;
import io.rdmachannel.verbs.PathMtu;
import io.rdmachannel.verbs.PortAttributes;
import io.rdmachannel.verbs.PortState;
import io.rdmachannel.verbs.Verbs;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The device, port and GID that tests use: the first active port that has a usable GID.
 *
 * @param device the device
 * @param port its port
 * @param gid the GID entry that peers on this host address
 * @param mtu the active MTU
 */
public record RdmaDevice(Device device, int port, GidEntry gid, PathMtu mtu) {
    private static final String LAB_VARIABLE = "RDMA_LAB";
    private static volatile RdmaDevice found;

    /** Says whether a device must be there. */
    public static boolean isRequired() {
        return "1".equals(System.getenv(LAB_VARIABLE));
    }

    /** Returns why there is no usable device, or empty when there is one. */
    public static Optional<String> absenceReason() {
        if (found != null) {
            return Optional.empty();
        }
        Optional<String> unavailable = Verbs.unavailabilityReason();
        if (unavailable.isPresent()) {
            return unavailable;
        }
        List<Device> devices = Device.list();
        if (devices.isEmpty()) {
            return Optional.of("this machine has no RDMA device; rxe-lab/rxe-lab runs the tests where there is one");
        }
        search().ifPresent(device -> found = device);
        return found != null
                ? Optional.empty()
                : Optional.of("none of the devices " + devices + " has an active port with a usable GID");
    }

    /** Returns the device; searched once; for classes with {@link RdmaTest}. */
    public static RdmaDevice find() {
        absenceReason().ifPresent(reason -> {
            throw new AssertionError(reason);
        });
        return found;
    }

    /** Opens the device; the caller closes the context. */
    public DeviceContext open() {
        return device.open();
    }

    private static Optional<RdmaDevice> search() {
        return Device.list().stream()
                .flatMap(device -> ofDevice(device).stream())
                .findFirst();
    }

    private static Optional<RdmaDevice> ofDevice(Device device) {
        try (DeviceContext context = device.open()) {
            for (int port = 1; port <= context.attributes().portCount(); port++) {
                PortAttributes attributes = context.port(port);
                Optional<GidEntry> gid = context.gidTable(port).stream().min(Comparator.comparingInt(RdmaDevice::rank));
                if (attributes.state() == PortState.ACTIVE && gid.isPresent()) {
                    return Optional.of(new RdmaDevice(device, port, gid.get(), attributes.activeMtu()));
                }
            }
            return Optional.empty();
        }
    }

    private static int rank(GidEntry entry) {
        int byType = entry.type() == GidType.ROCE_V2 ? 0 : 4;
        int byAddress = entry.gid().isIpv4Mapped() ? 0 : entry.gid().isLinkLocal() ? 2 : 1;
        return byType + byAddress;
    }
}

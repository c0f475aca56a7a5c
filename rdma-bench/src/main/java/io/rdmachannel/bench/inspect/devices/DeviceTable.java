// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.devices;

import io.rdmachannel.bench.inspect.system.GidTypeName;
import java.io.PrintWriter;
import java.util.Locale;

/** What {@code devices} writes for people. */
public final class DeviceTable {
    private static final String LINE = "    %-18s %s%n";
    private static final String GID = "    %-5s %-12s %-40s %s%n";
    private static final double MEGABITS = 1000;

    private final PrintWriter out;

    /**
     * Makes a writer of tables.
     *
     * @param out where they go
     */
    public DeviceTable(PrintWriter out) {
        this.out = out;
    }

    /**
     * Writes all that there is.
     *
     * @param inventory what there is
     */
    public void write(DeviceInventory inventory) {
        inventory.devices().forEach(this::device);
        if (inventory.reason() != null) {
            out.println(inventory.reason());
        }
        if (inventory.reason() == null) {
            out.println("What a channel with default settings would choose, by its local address:");
            boolean one = inventory.choices().size() == 1;
            inventory.choices().forEach(choice -> choice(choice, one));
        }
    }

    private void device(DeviceEntry device) {
        out.println(device.name());
        if (device.problem() != null) {
            out.printf(LINE, "cannot be used", device.problem());
        }
        out.printf(LINE, "driver", or(device.driver(), "not told"));
        out.printf(LINE, "place", or(device.pciAddress(), "in software") + numa(device));
        if (device.identity() != null) {
            DeviceEntry.Identity identity = device.identity();
            out.printf(LINE, "node GUID", identity.nodeGuid());
            out.printf(LINE, "firmware", or(identity.firmware(), "not told"));
            out.printf(
                    LINE,
                    "vendor",
                    identity.vendorId() + ", part " + identity.partId() + ", hardware " + identity.hardwareVersion());
        }
        if (device.limits() != null) {
            limits(device.limits());
        }
        device.ports().forEach(this::port);
        out.println();
    }

    private static String numa(DeviceEntry device) {
        return device.numaNode() < 0
                ? ""
                : ", NUMA node " + device.numaNode() + ", processors " + or(device.localProcessors(), "not told");
    }

    private void limits(DeviceLimits limits) {
        out.printf(
                LINE,
                "queue pairs",
                limits.queuePairs() + " of " + limits.workRequests() + " requests, each of " + limits.scatterGather()
                        + " scatter-gather entries (reads: " + limits.readScatterGather() + ")");
        out.printf(
                LINE,
                "completion queues",
                limits.completionQueues() + " of " + limits.completionQueueEntries() + " entries");
        out.printf(
                LINE,
                "memory regions",
                limits.regions() + " of "
                        + (limits.regionBytes() == Long.MAX_VALUE ? "any number of" : limits.regionBytes())
                        + " bytes; windows: " + limits.memoryWindows());
        out.printf(
                LINE,
                "reads, atomics",
                "a queue pair serves " + limits.readsServed() + " and asks for " + limits.readsInitiated()
                        + " at a time; atomic against: "
                        + limits.atomics().name().toLowerCase(Locale.ROOT));
        out.printf(
                LINE,
                "shared receives",
                limits.sharedReceiveQueues() + " queues of " + limits.sharedReceiveRequests() + " requests");
    }

    private void port(PortEntry port) {
        out.println("  port " + port.port());
        out.printf(LINE, "state", port.state() + (port.physicalState().isEmpty() ? "" : ", " + port.physicalState()));
        out.printf(LINE, "link", linkLayer(port) + ", " + speed(port) + (port.lid() == 0 ? "" : ", LID " + port.lid()));
        out.printf(LINE, "payload of packets", port.activeMtu() + " bytes, at most " + port.maxMtu());
        out.printf(LINE, "longest message", port.maxMessageBytes() + " bytes");
        out.printf(GID, "GID", "type", "address", "interface");
        for (PortEntry.GidRow row : port.gids()) {
            out.printf(
                    GID,
                    row.index(),
                    GidTypeName.of(row.type()),
                    row.address() == null ? row.gid() : row.address(),
                    row.networkInterface() == null ? "" : row.networkInterface());
        }
    }

    private static String linkLayer(PortEntry port) {
        return switch (port.linkLayer()) {
            case ETHERNET -> "Ethernet";
            case INFINIBAND -> "InfiniBand";
            case UNSPECIFIED, UNKNOWN -> "link layer not told";
        };
    }

    private static String speed(PortEntry port) {
        if (port.lanes() == 0 || port.laneMegabitsPerSecond() == 0) {
            return or(port.rate(), "speed not told");
        }
        return "%d x %.1f Gbit/s".formatted(port.lanes(), port.laneMegabitsPerSecond() / MEGABITS);
    }

    /** The library's reason is long: it is told where one address was asked for. */
    private void choice(AddressChoice choice, boolean withReason) {
        String chosen = choice.hasDevice()
                ? choice.device() + " port " + choice.port()
                        + (choice.gidIndex() == null
                                ? ", peers found by LID"
                                : " GID " + choice.gidIndex() + " (" + choice.gid() + ", "
                                        + GidTypeName.of(choice.gidType()) + ")")
                : withReason ? "none: " + choice.reason() : "none";
        out.printf("    %-28s %-10s %s%n", choice.address(), choice.networkInterface(), chosen);
    }

    private static String or(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }
}

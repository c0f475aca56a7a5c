// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackVerbs;
import io.rdmachannel.testing.Shell;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.Verbs;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/** The device that tests run against. Without one they are skipped; in the lab that is a failure. */
public final class LabDevice {
    private LabDevice() {}

    /** Skips the test where there is no device, and fails it in the lab. */
    public static void require() {
        List<Device> devices = Verbs.unavailabilityReason().isPresent() ? List.of() : Device.list();
        if (System.getenv("RDMA_LAB") != null) {
            assertThat(devices).as("devices of the lab").isNotEmpty();
        }
        assumeTrue(!devices.isEmpty(), "expected: no RDMA device on this machine");
    }

    /** An address of the device's network interface, where the lab tells one. */
    static InetAddress address() throws IOException {
        String address = System.getenv("LAB_ADDRESS");
        return address == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(address);
    }

    /** An address that the device is known by, as librdmacm needs one. */
    public static InetAddress ownAddress() {
        try (DeviceContext context = Device.list().getFirst().open()) {
            return context.gidTable(1).stream()
                    .map(GidEntry::gid)
                    .filter(Gid::isIpv4Mapped)
                    .map(Gid::toInetAddress)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Makes another Soft-RoCE device, on the loopback interface. */
    public static void addOnLoopback(String name) {
        Shell.run("rdma", "link", "add", name, "type", "rxe", "netdev", "lo");
    }

    /** Deletes a device; takes until everybody has closed it. */
    public static void delete(String name) {
        Shell.run("rdma", "link", "delete", name);
    }

    /** Whether the kernel shows a device; one that is being deleted it does not. */
    public static boolean isShown(String name) {
        return Shell.run("rdma", "dev", "show").contains(" " + name + ":");
    }

    /** What the kernel holds for RDMA devices, of all processes: in the lab there is no other one. */
    public static String resources() {
        if (LoopbackVerbs.isInUse()) {
            return LoopbackFaults.live().toString();
        }
        return Shell.run("rdma", "resource", "show");
    }

    /** The kernel frees some things a little later. */
    public static void requireResources(String before) {
        Deadline.usual()
                .await(
                        "objects of the kernel as before: " + before,
                        () -> resources().equals(before));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackVerbs;
import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.Gid;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.Verbs;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
    public static void addOnLoopback(String name) throws IOException, InterruptedException {
        requireSuccess(start("rdma", "link", "add", name, "type", "rxe", "netdev", "lo"));
    }

    /** Deletes a device that nobody uses. */
    public static void delete(String name) throws IOException, InterruptedException {
        requireSuccess(startDeletion(name));
    }

    /** Begins to delete a device, which can take until everybody has closed it. */
    public static Process startDeletion(String name) throws IOException {
        return start("rdma", "link", "delete", name);
    }

    /** Waits for a command of this class. */
    public static void requireSuccess(Process process) throws IOException, InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS))
                .as("%s ends", process.info().commandLine())
                .isTrue();
        assertThat(process.exitValue())
                .as(new String(process.getInputStream().readAllBytes()))
                .isZero();
    }

    private static Process start(String... command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** What the kernel holds for RDMA devices, of all processes: in the lab there is no other one. */
    public static String resources() throws IOException, InterruptedException {
        if (LoopbackVerbs.isInUse()) {
            return LoopbackFaults.live().toString();
        }
        Process process = new ProcessBuilder("rdma", "resource", "show")
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return text;
    }

    /** The kernel frees some things a little later. */
    public static void requireResources(String before) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!resources().equals(before) && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        assertThat(resources()).as("objects of the kernel").isEqualTo(before);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modules, devices, device nodes, namespaces and control groups. */
class KernelTest {
    private static final String GROUP = "/sys/fs/cgroup/system.slice/orders.service/";

    @TempDir
    private Path root;

    @Test
    void shouldFindTheModules() {
        Finding finding = RecordedMachine.softRoce(root).run(new KernelModulesCheck());
        assertThat(finding)
                .isEqualTo(Finding.of(Status.OK, "ib_core and ib_uverbs are there")
                        .and(Status.OK, "rdma_ucm is there")
                        .and(Status.OK, "RDMA drivers: rdma_rxe"));
    }

    @Test
    void shouldNameModulesThatAreNotLoaded() {
        Finding finding = RecordedMachine.empty(root).run(new KernelModulesCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen().getFirst()).startsWith("ib_core and ib_uverbs: not loaded");
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .contains("modprobe -a ib_core ib_uverbs", "modprobe rdma_ucm");
    }

    @Test
    void shouldOnlyWarnWithoutTheConnectionManagersModule() {
        Finding finding = RecordedMachine.softRoce(root)
                .remove("/sys/module/rdma_ucm")
                .remove("/sys/class/misc/rdma_cm")
                .run(new KernelModulesCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.remedies()).extracting(Remedy::command).containsExactly("modprobe rdma_ucm");
    }

    @Test
    void shouldNameTheModuleThatMakesAnRdmaDeviceOfAnAdapter() {
        RecordedMachine machine = RecordedMachine.connectX(root).remove("/sys/module/mlx5_ib");
        assertThat(machine.run(new KernelModulesCheck()).status())
                .as("there are devices")
                .isEqualTo(Status.OK);
        Finding finding = machine.remove("/sys/class/infiniband").run(new KernelModulesCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.remedies()).extracting(Remedy::command).containsExactly("modprobe mlx5_ib");
    }

    @Test
    void shouldTellEachDevice() {
        assertThat(RecordedMachine.softRoce(root.resolve("a")).run(new DevicesCheck()))
                .isEqualTo(Finding.of(Status.OK, "rxe0: driver rdma_rxe, in software, on lab0"));
        assertThat(RecordedMachine.connectX(root.resolve("b"))
                        .run(new DevicesCheck())
                        .seen())
                .containsExactly(
                        "mlx5_0: driver mlx5_core, PCI 0000:3b:00.0, on ens1f0",
                        "mlx5_1: driver mlx5_core, PCI 0000:17:00.0, on ib0");
    }

    @Test
    void shouldWarnOfDevicesThatSpeakIwarp() {
        Finding finding = RecordedMachine.softRoce(root)
                .write("/sys/devices/virtual/infiniband/rxe0/node_type", "4: RNIC")
                .run(new DevicesCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.seen().getFirst()).contains("iWARP");
    }

    @Test
    void shouldTellHowToGetADevice() {
        Finding finding = RecordedMachine.softRoce(root)
                .remove("/sys/class/infiniband/rxe0")
                .run(new DevicesCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .contains("modprobe rdma_rxe && rdma link add rxe0 type rxe netdev lab0");
    }

    @Test
    void shouldAllowTheDeviceNodes() {
        assertThat(RecordedMachine.softRoce(root).run(new DeviceNodesCheck()))
                .isEqualTo(Finding.of(Status.OK, "/dev/infiniband/uverbs0 for rxe0 can be read and written")
                        .and(Status.OK, "/dev/infiniband/rdma_cm for librdmacm can be read and written"));
    }

    @Test
    void shouldNameADeviceNodeWithoutPermission() {
        Finding finding =
                RecordedMachine.softRoce(root).deny("/dev/infiniband/uverbs0").run(new DeviceNodesCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen().getFirst()).contains("/dev/infiniband/uverbs0 for rxe0 cannot be read and written");
        assertThat(finding.remedies()).extracting(Remedy::command).contains("chmod 0666 /dev/infiniband/uverbs0");
    }

    @Test
    void shouldNameAMissingDeviceNode() {
        Finding finding =
                RecordedMachine.softRoce(root).remove("/dev/infiniband").run(new DeviceNodesCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .contains("docker run --device=/dev/infiniband IMAGE");
    }

    @Test
    void shouldNotMissNodesWhereThereAreNoDevices() {
        assertThat(RecordedMachine.empty(root).run(new DeviceNodesCheck()).status())
                .isEqualTo(Status.NOT_APPLICABLE);
    }

    @Test
    void shouldSeeDevicesOfThisNamespace() {
        assertThat(RecordedMachine.softRoce(root).run(new NamespacesCheck()))
                .isEqualTo(Finding.of(Status.OK, "all network namespaces share the RDMA devices")
                        .and(Status.OK, "rxe0: lab0 is here"));
    }

    @Test
    void shouldNameADeviceWhoseInterfaceIsElsewhere() {
        Finding finding =
                RecordedMachine.softRoce(root).remove("/sys/class/net/lab0").run(new NamespacesCheck());
        assertThat(finding.status()).isEqualTo(Status.PROBLEM);
        assertThat(finding.seen()).contains("rxe0: its interfaces [lab0] are not in this network namespace");
    }

    @Test
    void shouldNameExclusiveDevicesAndContainersWithoutNodes() {
        Finding exclusive = RecordedMachine.softRoce(root.resolve("a"))
                .write("/sys/module/ib_core/parameters/netns_mode", "N")
                .remove("/sys/class/infiniband/rxe0")
                .run(new NamespacesCheck());
        assertThat(exclusive.status()).isEqualTo(Status.PROBLEM);
        assertThat(exclusive.remedies()).extracting(Remedy::command).contains("rdma dev set DEVICE netns NAMESPACE");
        Finding container = RecordedMachine.softRoce(root.resolve("b"))
                .write("/.dockerenv", "")
                .remove("/dev/infiniband")
                .run(new NamespacesCheck());
        assertThat(container.status()).isEqualTo(Status.PROBLEM);
        assertThat(container.seen()).contains("the host has RDMA devices, and the container has no /dev/infiniband");
    }

    @Test
    void shouldSeeNoLimitOfControlGroups() {
        assertThat(RecordedMachine.connectX(root).run(new CgroupsCheck()))
                .isEqualTo(Finding.of(Status.OK, "RDMA objects are not limited: mlx5_0 hca_handle=max hca_object=max"));
        assertThat(RecordedMachine.empty(root.resolve("none"))
                        .run(new CgroupsCheck())
                        .status())
                .isEqualTo(Status.NOT_APPLICABLE);
    }

    @Test
    void shouldNameLimitsOfControlGroups() {
        RecordedMachine machine = RecordedMachine.connectX(root)
                .write(GROUP + "rdma.max", "mlx5_0 hca_handle=2 hca_object=2000")
                .write(GROUP + "memory.max", "536870912")
                .write(GROUP + "memory.current", "104857600");
        Finding finding = machine.run(new CgroupsCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.seen().getFirst()).contains("mlx5_0 hca_handle=2 hca_object=2000");
        assertThat(finding.seen().getLast()).startsWith("memory is limited to 512 MiB, of which 100 MiB are used");
        machine.write(GROUP + "rdma.max", "mlx5_0 hca_handle=1 hca_object=2000");
        assertThat(machine.run(new CgroupsCheck()).status()).isEqualTo(Status.PROBLEM);
    }

    @Test
    void shouldReadControlGroupsOfVersion1() {
        Finding finding = RecordedMachine.empty(root)
                .write("/proc/self/cgroup", "12:rdma:/docker/1234\n4:memory:/docker/1234")
                .write("/sys/fs/cgroup/rdma/docker/1234/rdma.max", "mlx5_0 hca_handle=2 hca_object=50")
                .write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "8589934592")
                .run(new CgroupsCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.seen()).contains("memory is limited to 8 GiB, of which 0 B are used");
    }
}

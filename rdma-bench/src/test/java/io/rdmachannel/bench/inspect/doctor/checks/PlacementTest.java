// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NUMA, IOMMU and power. */
class PlacementTest {
    private static final String STATUS = "/proc/self/status";
    private static final String GOVERNOR = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";

    @TempDir
    private Path root;

    @Test
    void shouldNotCareAboutNumaOnOneNode() {
        assertThat(RecordedMachine.softRoce(root).run(new NumaCheck()))
                .isEqualTo(Finding.of(
                        Status.NOT_APPLICABLE, "this machine has one NUMA node; this process may use processors 0-1"));
    }

    @Test
    void shouldAdviseToPinWhereTheProcessMayRunAnywhere() {
        Finding finding = RecordedMachine.connectX(root).run(new NumaCheck());
        assertThat(finding.status()).isEqualTo(Status.OK);
        assertThat(finding.seen().getFirst()).startsWith("mlx5_0 is on node 1 (processors 16-31)");
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .contains("numactl --cpunodebind=1 --membind=1 java ARGUMENTS");
    }

    @Test
    void shouldWarnWhereTheProcessMayNotRunNearTheDevice() {
        RecordedMachine machine =
                RecordedMachine.connectX(root).write(STATUS, "Cpus_allowed_list:\t0-15\nMems_allowed_list:\t0-1");
        Finding finding = machine.run(new NumaCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .contains("docker run --cpuset-cpus=16-31 --cpuset-mems=1 IMAGE");
        machine.write(STATUS, "Cpus_allowed_list:\t16-31\nMems_allowed_list:\t0");
        assertThat(machine.run(new NumaCheck()).status()).isEqualTo(Status.WARNING);
    }

    @Test
    void shouldNotMindWhereSysfsNamesNoNearProcessors() {
        RecordedMachine machine = RecordedMachine.connectX(root)
                .remove("/sys/devices/pci0000:3b/0000:3b:00.0/local_cpulist")
                .remove("/sys/devices/pci0000:17/0000:17:00.0/local_cpulist");
        assertThat(machine.run(new NumaCheck()).status()).isEqualTo(Status.OK);
    }

    @Test
    void shouldTellAdaptersThatAreTranslated() {
        Finding finding = RecordedMachine.connectX(root).run(new IommuCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.seen())
                .containsExactly(
                        "mlx5_0: the IOMMU translates (DMA-FQ)", "mlx5_1: the IOMMU passes through (identity)");
        assertThat(finding.remedies()).extracting(Remedy::command).containsExactly("iommu=pt");
    }

    @Test
    void shouldBeContentWithoutIommu() {
        assertThat(RecordedMachine.softRoce(root).run(new IommuCheck()))
                .isEqualTo(Finding.of(Status.OK, "no IOMMU is in use"));
    }

    @Test
    void shouldGoByTheCommandLineOnOldKernels() {
        RecordedMachine machine = RecordedMachine.connectX(root)
                .remove("/sys/bus/pci/devices/0000:3b:00.0/iommu_group/type")
                .remove("/sys/bus/pci/devices/0000:17:00.0/iommu_group/type");
        assertThat(machine.run(new IommuCheck()).status()).isEqualTo(Status.UNKNOWN);
        machine.write("/proc/cmdline", "ro intel_iommu=on iommu=pt quiet");
        assertThat(machine.run(new IommuCheck()).status()).isEqualTo(Status.OK);
    }

    @Test
    void shouldWarnOfGovernorsAndDeepIdleStates() {
        RecordedMachine machine = RecordedMachine.connectX(root).write(GOVERNOR, "powersave");
        Finding finding = machine.run(new ProcessorPowerCheck());
        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.seen().getFirst()).isEqualTo("clock governor: powersave");
        assertThat(finding.seen().getLast()).contains("C6 133 µs").doesNotContain("C1");
        assertThat(finding.remedies())
                .extracting(Remedy::command)
                .containsExactly("cpupower frequency-set -g performance", "cpupower idle-set -D 10");
    }

    @Test
    void shouldBeContentWithHighClocksAndShallowStates() {
        assertThat(RecordedMachine.connectX(root)
                        .write("/sys/devices/system/cpu/cpu0/cpuidle/state2/disable", "1")
                        .run(new ProcessorPowerCheck()))
                .isEqualTo(Finding.of(Status.OK, "clock governor: performance")
                        .and(Status.OK, "no idle state takes 10 µs or more to wake from"));
        assertThat(RecordedMachine.softRoce(root.resolve("virtual"))
                        .run(new ProcessorPowerCheck())
                        .status())
                .isEqualTo(Status.NOT_APPLICABLE);
    }
}

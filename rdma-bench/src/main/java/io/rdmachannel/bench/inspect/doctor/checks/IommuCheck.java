// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SystemTree;

/** Whether an IOMMU translates what adapters read and write, which costs time at registration and for each packet. */
final class IommuCheck implements Check {
    @Override
    public String name() {
        return "IOMMU";
    }

    @Override
    public Finding run(Environment environment) {
        SystemTree files = environment.files();
        if (files.list("/sys/kernel/iommu_groups").isEmpty()) {
            return Finding.of(Status.OK, "no IOMMU is in use");
        }
        Finding finding = Finding.nothing();
        for (SysfsDevice device : environment.devices()) {
            if (!device.isSoftware()) {
                finding = finding.and(check(files, device));
            }
        }
        return finding.seen().isEmpty()
                ? finding.and(Status.NOT_APPLICABLE, "an IOMMU is in use, but there is no adapter behind it")
                : finding;
    }

    private static Finding check(SystemTree files, SysfsDevice device) {
        String type = files.read("/sys/bus/pci/devices/" + device.address() + "/iommu_group/type")
                .orElse("");
        return switch (type) {
            case "identity" -> Finding.of(Status.OK, device.name() + ": the IOMMU passes through (identity)");
            case "DMA", "DMA-FQ" ->
                Finding.of(
                        Status.WARNING,
                        device.name() + ": the IOMMU translates (" + type + ")",
                        new Remedy(
                                "where the adapter is trusted, for speed: on the kernel's command line", "iommu=pt"));
            case "" -> commandLine(files, device);
            default -> Finding.of(Status.OK, device.name() + ": IOMMU group of type " + type);
        };
    }

    /** Kernels before 5.11 have no type in sysfs. */
    private static Finding commandLine(SystemTree files, SysfsDevice device) {
        String line = " " + files.read("/proc/cmdline").orElse("") + " ";
        return line.contains(" iommu=pt ") || line.contains(" iommu.passthrough=1 ")
                ? Finding.of(Status.OK, device.name() + ": the kernel's command line lets the IOMMU pass through")
                : Finding.of(
                        Status.UNKNOWN,
                        device.name() + ": an IOMMU is in use, and this kernel does not say whether it translates",
                        new Remedy("see what the kernel chose at boot", "dmesg | grep -i 'iommu.*domain type'"));
    }
}

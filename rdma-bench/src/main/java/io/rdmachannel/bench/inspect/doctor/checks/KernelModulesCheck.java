// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SystemTree;
import java.util.List;
import java.util.stream.Stream;

/** The kernel's modules: the core, user access, and a driver. What is built in shows by its classes in sysfs. */
final class KernelModulesCheck implements Check {
    private static final String AT_BOOT = "to load them at every boot, name them in a file of /etc/modules-load.d";

    @Override
    public String name() {
        return "kernel modules";
    }

    @Override
    public Finding run(Environment environment) {
        SystemTree files = environment.files();
        return core(files)
                .and(connectionManager(files))
                .and(drivers(files, environment.devices().isEmpty()));
    }

    private static Finding core(SystemTree files) {
        List<String> missing = Stream.of(
                        missing(files, "ib_core", "/sys/class/infiniband"),
                        missing(files, "ib_uverbs", "/sys/class/infiniband_verbs"))
                .flatMap(List::stream)
                .toList();
        return missing.isEmpty()
                ? Finding.of(Status.OK, "ib_core and ib_uverbs are there")
                : Finding.of(
                        Status.PROBLEM,
                        String.join(" and ", missing) + ": not loaded; without them there are no verbs",
                        new Remedy("load them, on the host where this is a container", "modprobe -a ib_core ib_uverbs"),
                        new Remedy(AT_BOOT, "echo ib_uverbs > /etc/modules-load.d/rdma.conf"));
    }

    private static Finding connectionManager(SystemTree files) {
        return missing(files, "rdma_ucm", "/sys/class/misc/rdma_cm").isEmpty()
                ? Finding.of(Status.OK, "rdma_ucm is there")
                : Finding.of(
                        Status.WARNING,
                        "rdma_ucm: not loaded; channels do without it, librdmacm (io.rdmachannel.cm, rping) does not",
                        new Remedy("load it", "modprobe rdma_ucm"));
    }

    /** Many network adapters have an RDMA half that nobody wants where another device is in use. */
    private static Finding drivers(SystemTree files, boolean wanted) {
        List<String> loaded = DriverTable.rows().stream()
                .map(DriverTable.Row::rdmaModule)
                .distinct()
                .filter(module -> isLoaded(files, module))
                .toList();
        Finding finding = Finding.of(
                Status.OK,
                loaded.isEmpty() ? "no RDMA driver that is known here" : "RDMA drivers: " + String.join(", ", loaded));
        for (DriverTable.Row row : DriverTable.rows()) {
            if (wanted && isLoaded(files, row.adapterModule()) && !isLoaded(files, row.rdmaModule())) {
                finding = finding.and(
                        Status.WARNING,
                        row.adapterModule() + " drives an adapter, but " + row.rdmaModule()
                                + ", which makes an RDMA device of it where the adapter can, is not loaded",
                        new Remedy("load it", "modprobe " + row.rdmaModule()));
            }
        }
        return finding;
    }

    private static List<String> missing(SystemTree files, String module, String witness) {
        return isLoaded(files, module) || files.exists(witness) ? List.of() : List.of(module);
    }

    private static boolean isLoaded(SystemTree files, String module) {
        return files.exists("/sys/module/" + module);
    }
}

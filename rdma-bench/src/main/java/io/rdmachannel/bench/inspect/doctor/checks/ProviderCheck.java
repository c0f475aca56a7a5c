// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import java.util.List;
import java.util.Optional;

/** Whether libibverbs knows the devices that the kernel has: for each driver it needs a provider. */
final class ProviderCheck implements Check {
    @Override
    public String name() {
        return "provider";
    }

    @Override
    public Finding run(Environment environment) {
        if (environment.library().verbsProblem().isPresent()) {
            return Finding.of(Status.NOT_APPLICABLE, "without libibverbs there is nothing to load a provider");
        }
        Providers providers = new Providers(environment.files());
        if (environment.devices().isEmpty()) {
            return Finding.of(
                    Status.NOT_APPLICABLE, "no device; providers that are installed: " + providers.configured());
        }
        List<String> known = environment.library().devices();
        Finding finding = Finding.nothing();
        for (SysfsDevice device : environment.devices()) {
            finding = known.contains(device.name())
                    ? finding.and(Status.OK, "libibverbs offers " + device.name())
                    : finding.and(unknown(environment, providers, device));
        }
        return finding;
    }

    private static Finding unknown(Environment environment, Providers providers, SysfsDevice device) {
        String missing = "the kernel has " + device.name() + ", but libibverbs does not offer it: ";
        if (device.node().isEmpty()) {
            return Finding.of(
                    Status.PROBLEM,
                    missing + "it has no entry in /sys/class/infiniband_verbs, so ib_uverbs does not serve it",
                    new Remedy("load ib_uverbs", "modprobe ib_uverbs"));
        }
        Optional<DriverTable.Row> row = DriverTable.of(device.driver());
        if (row.isEmpty()) {
            String driver = device.driver().isEmpty() ? "its driver" : device.driver();
            return Finding.of(
                    Status.PROBLEM, missing + "the provider for " + driver + " is missing", install(environment));
        }
        return Finding.of(
                Status.PROBLEM,
                missing + reason(environment, providers, row.get().provider()),
                install(environment));
    }

    private static String reason(Environment environment, Providers providers, String provider) {
        List<String> libraries = providers.libraries(provider);
        String file = "lib" + provider + "-rdmav*.so";
        if (libraries.isEmpty()) {
            return "the provider " + file + " is in none of " + providers.directories();
        }
        Optional<String> wanted = LibraryVersion.of(environment.files(), "libibverbs.so.1")
                .flatMap(library -> providers.wantedVersion(library.path()));
        if (wanted.isPresent()
                && libraries.stream().noneMatch(library -> Providers.isOfVersion(library, wanted.get()))) {
            return "it wants a provider of version rdmav" + wanted.get() + ", and found " + libraries
                    + ": libibverbs and providers come from different builds of rdma-core";
        }
        if (!providers.isConfigured(provider)) {
            return "no file of " + Providers.CONFIGURATION + " has the line 'driver " + provider + "'";
        }
        return "its provider " + libraries + " is there, but does not load or does not take the device; run"
                + " 'ibv_devices' to see its warnings";
    }

    private static Remedy install(Environment environment) {
        return Packages.restore(environment.files(), "ibverbs-providers", "libibverbs");
    }
}

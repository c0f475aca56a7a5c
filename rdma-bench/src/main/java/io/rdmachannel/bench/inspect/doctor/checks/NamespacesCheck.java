// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SystemTree;
import java.util.List;
import java.util.Set;

/** Whether devices and their network interfaces are in this network namespace, and signs of a container. */
final class NamespacesCheck implements Check {
    private static final String MODE = "/sys/module/ib_core/parameters/netns_mode";
    private static final String INTERFACES = "/sys/class/net/";

    @Override
    public String name() {
        return "namespaces";
    }

    @Override
    public Finding run(Environment environment) {
        SystemTree files = environment.files();
        Finding finding = container(files);
        String mode = files.read(MODE).orElse("");
        if (mode.equals("N")) {
            finding = finding.and(exclusive(environment));
        } else if (mode.equals("Y")) {
            finding = finding.and(Status.OK, "all network namespaces share the RDMA devices");
        }
        for (SysfsDevice device : environment.devices()) {
            finding = finding.and(interfaces(files, device));
        }
        return finding.seen().isEmpty()
                ? finding.and(Status.NOT_APPLICABLE, "no container, and no RDMA in the kernel")
                : finding;
    }

    private static Finding container(SystemTree files) {
        boolean container = files.exists("/.dockerenv")
                || files.exists("/run/.containerenv")
                || files.exists("/var/run/secrets/kubernetes.io");
        if (!container) {
            return Finding.nothing();
        }
        Finding finding = Finding.of(Status.OK, "this is a container");
        boolean devices = !files.list("/sys/class/infiniband").isEmpty();
        return devices && !files.exists("/dev/infiniband")
                ? finding.and(
                        Status.PROBLEM,
                        "the host has RDMA devices, and the container has no /dev/infiniband",
                        new Remedy("hand the nodes in", "docker run --device=/dev/infiniband IMAGE"))
                : finding;
    }

    private static Finding exclusive(Environment environment) {
        String seen = "each RDMA device belongs to one network namespace (mode exclusive)";
        return environment.devices().isEmpty()
                ? Finding.of(
                        Status.PROBLEM,
                        seen + ", and none to this one",
                        new Remedy("on the host: move a device here", "rdma dev set DEVICE netns NAMESPACE"),
                        new Remedy("or share them, while no namespace is in use", "rdma system set netns shared"))
                : Finding.of(Status.OK, seen);
    }

    private static Finding interfaces(SystemTree files, SysfsDevice device) {
        Set<String> names = device.networkInterfaces();
        List<String> here =
                names.stream().filter(name -> files.exists(INTERFACES + name)).toList();
        if (names.isEmpty()) {
            return Finding.nothing();
        }
        if (here.isEmpty()) {
            return Finding.of(
                    Status.PROBLEM,
                    device.name() + ": its interfaces " + names + " are not in this network namespace",
                    new Remedy("use the host's network", "docker run --network=host --device=/dev/infiniband IMAGE"),
                    new Remedy(
                            "or move an interface, or a virtual function of it, here",
                            "ip link set dev NETDEV netns PID"));
        }
        return Finding.of(Status.OK, device.name() + ": " + String.join(", ", here) + " is here");
    }
}

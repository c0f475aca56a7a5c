// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SystemTree;

/** The nodes below /dev/infiniband, through which everything but the data path goes. */
final class DeviceNodesCheck implements Check {
    private static final String DIRECTORY = "/dev/infiniband/";

    @Override
    public String name() {
        return "device nodes";
    }

    @Override
    public Finding run(Environment environment) {
        Finding finding = Finding.nothing();
        for (SysfsDevice device : environment.devices()) {
            if (!device.node().isEmpty()) {
                finding = finding.and(
                        node(environment.files(), DIRECTORY + device.node(), device.name(), Status.PROBLEM));
            }
        }
        if (environment.files().exists("/sys/class/misc/rdma_cm")) {
            finding = finding.and(node(environment.files(), DIRECTORY + "rdma_cm", "librdmacm", Status.WARNING));
        }
        return finding.seen().isEmpty()
                ? finding.and(Status.NOT_APPLICABLE, "the kernel has no device that would have a node")
                : finding;
    }

    private static Finding node(SystemTree files, String node, String user, Status otherwise) {
        if (!files.exists(node)) {
            return Finding.of(
                    otherwise,
                    node + " for " + user + " is missing here, though the kernel has the device",
                    new Remedy("in a container: hand the nodes in", "docker run --device=/dev/infiniband IMAGE"),
                    new Remedy("in Kubernetes: request the device from an RDMA device plugin", null),
                    new Remedy(
                            "elsewhere: let udev make them again",
                            "udevadm trigger --subsystem-match=infiniband_verbs"));
        }
        if (!files.isUsable(node)) {
            return Finding.of(
                    otherwise,
                    node + " for " + user + " cannot be read and written by user " + System.getProperty("user.name"),
                    new Remedy("give the access that the kernel gives by default", "chmod 0666 " + node),
                    new Remedy(
                            "to keep it, look for the udev rule that takes it away, or add one",
                            "KERNEL==\"uverbs*\", SUBSYSTEM==\"infiniband_verbs\", MODE=\"0666\""));
        }
        return Finding.of(Status.OK, node + " for " + user + " can be read and written");
    }
}

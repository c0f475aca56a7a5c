// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.ProcessorList;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SystemTree;
import java.util.BitSet;
import java.util.List;

/** Where the adapters are, and whether this process may run and have memory there. */
final class NumaCheck implements Check {
    private static final String NODES = "/sys/devices/system/node/online";
    private static final String STATUS = "/proc/self/status";

    @Override
    public String name() {
        return "NUMA";
    }

    @Override
    public Finding run(Environment environment) {
        SystemTree files = environment.files();
        String online = files.read(NODES).orElse("0");
        String processors = value(files.lines(STATUS), "Cpus_allowed_list:");
        String nodes = value(files.lines(STATUS), "Mems_allowed_list:");
        if (ProcessorList.parse(online).cardinality() < 2) {
            return Finding.of(
                    Status.NOT_APPLICABLE,
                    "this machine has one NUMA node; this process may use processors " + processors);
        }
        Finding finding = Finding.nothing();
        for (SysfsDevice device : environment.devices()) {
            if (device.numaNode() >= 0) {
                finding = finding.and(near(device, processors, nodes));
            }
        }
        return finding.seen().isEmpty()
                ? finding.and(Status.NOT_APPLICABLE, "no device is attached to a NUMA node")
                : finding;
    }

    private static Finding near(SysfsDevice device, String processors, String nodes) {
        BitSet local = ProcessorList.parse(device.localProcessors());
        BitSet allowed = ProcessorList.parse(processors);
        String seen = device.name() + " is on node " + device.numaNode() + " (processors " + device.localProcessors()
                + "); this process may use processors " + processors + " and memory of nodes " + nodes;
        boolean memory = ProcessorList.parse(nodes).get(device.numaNode());
        if (!local.isEmpty() && !allowed.intersects(local) || !memory) {
            return Finding.of(
                    Status.WARNING,
                    seen + ": none near the device",
                    start(device),
                    new Remedy(
                            "in a container: give it that node",
                            "docker run --cpuset-cpus=" + device.localProcessors() + " --cpuset-mems="
                                    + device.numaNode() + " IMAGE"));
        }
        allowed.andNot(local);
        return allowed.isEmpty() || local.isEmpty()
                ? Finding.of(Status.OK, seen)
                : Finding.of(
                        Status.OK,
                        seen + "; pin poller threads to near ones",
                        new Remedy(
                                "for each poller: a processor near the device", "PollerConfig.withProcessor(NUMBER)"),
                        start(device));
    }

    private static Remedy start(SysfsDevice device) {
        return new Remedy(
                "or start the whole program there",
                "numactl --cpunodebind=" + device.numaNode() + " --membind=" + device.numaNode() + " java ARGUMENTS");
    }

    private static String value(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElse("");
    }
}

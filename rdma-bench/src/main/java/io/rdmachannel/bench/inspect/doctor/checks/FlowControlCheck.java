// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.CommandResult;
import io.rdmachannel.bench.inspect.system.SysfsDevice;
import io.rdmachannel.bench.inspect.system.SysfsPort;
import io.rdmachannel.bench.inspect.system.SystemTree;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What this host shows of congestion control on RoCE: PFC priorities (dcb), ECN and trust (mlx5's files in sysfs). */
final class FlowControlCheck implements Check {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Remedy ASK = new Remedy(
            "ask the people of the network: which priority is lossless (PFC), which DSCP leads to it, whether switches"
                    + " mark ECN for it; then set rdma.trafficClass to 4 x DSCP",
            "rdma.trafficClass=TRAFFIC_CLASS");

    @Override
    public String name() {
        return "flow control";
    }

    @Override
    public Finding run(Environment environment) throws JsonProcessingException {
        Finding finding = Finding.nothing();
        Set<String> seen = new LinkedHashSet<>();
        for (SysfsDevice device : environment.devices()) {
            if (!device.isSoftware() && device.ports().stream().anyMatch(SysfsPort::isEthernet)) {
                seen.addAll(device.interfaces());
            }
        }
        for (String network : seen) {
            finding = finding.and(interfaceOf(environment, network));
        }
        return finding.seen().isEmpty()
                ? finding.and(
                        Status.NOT_APPLICABLE,
                        "no RoCE adapter: InfiniBand controls its flow itself, and devices in software have none")
                : finding;
    }

    private static Finding interfaceOf(Environment environment, String network) throws JsonProcessingException {
        Finding ecn = ecn(environment.files(), network);
        CommandResult result = environment.commands().run("dcb", "-j", "pfc", "show", "dev", network);
        if (!result.isSuccess()) {
            return ecn.and(
                    Status.UNKNOWN,
                    network + ": PFC cannot be seen (dcb: " + result.output().strip() + ")",
                    ASK,
                    new Remedy("with the vendor's tools", "mlnx_qos -i " + network));
        }
        List<String> lossless = new ArrayList<>();
        JsonNode priorities = JSON.readTree(result.output()).path("prio-pfc");
        for (int priority = 0; priority < priorities.size(); priority++) {
            JsonNode on = priorities.get(priority);
            if (on.asBoolean() || on.asText().equals("on")) {
                lossless.add(String.valueOf(priority));
            }
        }
        return lossless.isEmpty()
                ? ecn.and(
                        Status.WARNING,
                        network + ": PFC is off for all priorities; unless switches mark ECN, congestion loses packets",
                        ASK,
                        new Remedy(
                                "make the priority lossless that the switches have so, such as 3",
                                "dcb pfc set dev " + network + " prio-pfc all:off 3:on"))
                : ecn.and(Status.OK, network + ": PFC is on for priorities " + String.join(", ", lossless));
    }

    /** Files of the vendor's driver; the one of the kernel has none. */
    private static Finding ecn(SystemTree files, String network) {
        String here = "/sys/class/net/" + network;
        List<String> enabled = files.list(here + "/ecn/roce_rp/enable").stream()
                .filter(priority -> files.read(here + "/ecn/roce_rp/enable/" + priority)
                        .orElse("")
                        .equals("1"))
                .toList();
        String trust =
                files.read(here + "/qos/trust").map(text -> ", trust " + text).orElse("");
        if (!files.exists(here + "/ecn/roce_rp/enable")) {
            return Finding.nothing();
        }
        return enabled.isEmpty()
                ? Finding.of(
                        Status.WARNING,
                        network + ": no priority reacts to ECN" + trust,
                        new Remedy(
                                "let the priority react, such as 3",
                                "echo 1 > " + here + "/ecn/roce_rp/enable/3; echo 1 > " + here
                                        + "/ecn/roce_np/enable/3"))
                : Finding.of(
                        Status.OK, network + ": priorities " + String.join(", ", enabled) + " react to ECN" + trust);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.Shell;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The device of the lab's guest, its interface and its addresses, to be put back after a test has taken them away.
 *
 * @param device the device
 * @param name the interface
 * @param address the IPv4 address of the interface
 * @param addresses all its addresses, with prefix lengths
 */
record LabNetwork(String device, String name, String address, List<String> addresses) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static LabNetwork of(String device) throws JsonProcessingException {
        JsonNode link = JSON.readTree(Shell.run("rdma", "-j", "link")).path(0);
        String name = link.path("netdev").asText();
        List<String> addresses = new ArrayList<>();
        String ipv4 = null;
        JsonNode shown = JSON.readTree(Shell.run("ip", "-j", "address", "show", "dev", name));
        for (JsonNode one : shown.path(0).path("addr_info")) {
            String local = one.path("local").asText();
            addresses.add(local + "/" + one.path("prefixlen").asText());
            ipv4 = one.path("family").asText().equals("inet") ? local : ipv4;
        }
        return new LabNetwork(device, name, ipv4, addresses);
    }

    /** Another address in the network of the interface, which nobody has. */
    String neighbour() {
        return address.substring(0, address.lastIndexOf('.')) + ".200";
    }

    /** Puts back what is missing, waits until the device serves the address, and gives what {@code devices} tells. */
    JsonNode restore() throws JsonProcessingException {
        Shell.run("modprobe", "-a", "rdma_rxe", "ib_uverbs", "rdma_ucm");
        Shell.run("ip", "link", "set", name, "up");
        for (String one : addresses) {
            Shell.run("ip", "address", "replace", one, "dev", name);
        }
        if (!Shell.run("rdma", "link").contains(device)) {
            Shell.run("rdma", "link", "add", device, "type", "rxe", "netdev", name);
        }
        ToolRun[] last = new ToolRun[1];
        Deadline.in(60, TimeUnit.SECONDS).await("a device for " + address, () -> {
            last[0] = ToolRun.of("devices", "--address", address, "--format", "json");
            return last[0].status() == 0;
        });
        return last[0].json();
    }
}

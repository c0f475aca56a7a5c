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
import io.rdmachannel.bench.inspect.system.LocalAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Whether packets to the peer leave by an interface of an RDMA device. */
final class RouteCheck implements Check {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_RULES = 3;

    @Override
    public String name() {
        return "route";
    }

    @Override
    public Finding run(Environment environment) throws JsonProcessingException {
        if (environment.request().peer().isEmpty()) {
            return Finding.of(Status.NOT_APPLICABLE, "give --peer HOST to look at the way to a peer");
        }
        String host = environment.request().peer().get().host();
        InetAddress peer;
        try {
            peer = InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            return Finding.of(
                    Status.PROBLEM,
                    host + " cannot be resolved",
                    new Remedy("give an address, or look at name resolution", "getent hosts " + host));
        }
        return route(environment, peer).and(rules(environment));
    }

    private static Finding route(Environment environment, InetAddress peer) throws JsonProcessingException {
        String[] command = command(environment, peer);
        CommandResult result = environment.commands().run(command);
        if (result.status() == CommandResult.NOT_RUN) {
            return Finding.of(Status.UNKNOWN, "the route cannot be asked for: " + result.output());
        }
        String address = LocalAddress.text(peer);
        if (!result.isSuccess()) {
            return Finding.of(
                    Status.PROBLEM,
                    "there is no route to " + address + ": " + result.output().strip(),
                    new Remedy("add one", "ip route add " + address + " via GATEWAY dev NETDEV"));
        }
        JsonNode route = JSON.readTree(result.output()).path(0);
        return judge(
                environment,
                address,
                route.path("dev").asText(),
                route.path("type").asText());
    }

    private static String[] command(Environment environment, InetAddress peer) {
        List<String> command = new ArrayList<>(List.of("ip", "-j", "route", "get", LocalAddress.text(peer)));
        environment.request().address().ifPresent(local -> command.addAll(List.of("from", LocalAddress.text(local))));
        return command.toArray(String[]::new);
    }

    private static Finding judge(Environment environment, String peer, String network, String type) {
        if (type.equals("local")) {
            return Finding.of(Status.OK, peer + " is this host itself");
        }
        if (environment.networkInterfaces().contains(network)) {
            return Finding.of(Status.OK, "the way to " + peer + " is over " + network);
        }
        if (environment.networkInterfaces().isEmpty()) {
            return Finding.of(
                    Status.NOT_APPLICABLE,
                    "the way to " + peer + " is over " + network + ", and there is no interface with RDMA");
        }
        return Finding.of(
                Status.PROBLEM,
                "the way to " + peer + " is over " + network + ", and RDMA is on " + environment.networkInterfaces(),
                new Remedy(
                        "let the RDMA interface have the route",
                        "ip route add " + peer + " dev "
                                + environment.networkInterfaces().iterator().next()),
                new Remedy("or connect to an address of the peer in the RDMA interface's network", null));
    }

    private static Finding rules(Environment environment) throws JsonProcessingException {
        CommandResult result = environment.commands().run("ip", "-j", "rule");
        int count = result.isSuccess() ? JSON.readTree(result.output()).size() : USUAL_RULES;
        return count <= USUAL_RULES
                ? Finding.nothing()
                : Finding.of(
                        Status.OK,
                        count + " routing rules, more than the usual 3: the route may depend on the source address; see"
                                + " 'ip rule', and give --address");
    }
}

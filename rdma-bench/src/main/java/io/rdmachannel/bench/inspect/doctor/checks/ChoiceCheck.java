// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.GidTypeName;
import io.rdmachannel.bench.inspect.system.LocalAddress;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.DevicePreview;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GidType;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which device, port and GID a channel takes for a local address, by the library's own decision. */
final class ChoiceCheck implements Check {
    @Override
    public String name() {
        return "choice";
    }

    @Override
    public Finding run(Environment environment) throws SocketException {
        Optional<InetAddress> wanted = environment.request().address();
        List<LocalAddress> all = environment.library().addresses();
        if (wanted.isPresent()) {
            return asked(environment, wanted.get(), all);
        }
        if (environment.library().verbsProblem().isPresent()) {
            return Finding.of(Status.NOT_APPLICABLE, "without libibverbs there is nothing to choose");
        }
        Set<String> networks = environment.networkInterfaces();
        Finding finding = Finding.nothing();
        for (LocalAddress local : all) {
            if (networks.contains(local.networkInterface()) && !local.address().isLinkLocalAddress()) {
                finding = finding.and(choose(environment, local.address(), local.text()));
            }
        }
        return finding.seen().isEmpty()
                ? finding.and(Status.NOT_APPLICABLE, "no address is on an interface of an RDMA device")
                : finding;
    }

    private static Finding asked(Environment environment, InetAddress address, List<LocalAddress> all) {
        boolean local = all.stream().anyMatch(one -> one.address().equals(address));
        if (!local) {
            return Finding.of(
                    Status.PROBLEM,
                    LocalAddress.text(address) + " is no address of this host; it has "
                            + all.stream().map(LocalAddress::text).toList(),
                    new Remedy("take one of them", "rdma-bench doctor --address ADDRESS"));
        }
        return choose(environment, address, LocalAddress.text(address));
    }

    private static Finding choose(Environment environment, InetAddress address, String text) {
        try {
            DevicePreview choice = environment.library().choose(address);
            String seen = text + ": " + choice.device() + " port " + choice.port();
            return choice.gid()
                    .map(gid -> judge(
                            seen + " GID " + gid.index() + " (" + gid.gid() + ", " + GidTypeName.of(gid.type()) + ")",
                            gid))
                    .orElseGet(() -> Finding.of(Status.OK, seen + ", peers found by LID"));
        } catch (ChannelException refused) {
            return Finding.of(
                    Status.PROBLEM,
                    text + ": " + refused.getMessage(),
                    new Remedy("see which addresses lead to a device", "rdma-bench devices"));
        }
    }

    private static Finding judge(String seen, GidEntry gid) {
        if (gid.type() == GidType.ROCE_V1) {
            return Finding.of(Status.WARNING, seen + ": RoCE v1 cannot be routed");
        }
        return gid.gid().isLinkLocal()
                ? Finding.of(
                        Status.WARNING,
                        seen + ": a link-local GID reaches this link only",
                        new Remedy("give the interface an address", "ip address add ADDRESS/PREFIX dev NETDEV"))
                : Finding.of(Status.OK, seen);
    }
}

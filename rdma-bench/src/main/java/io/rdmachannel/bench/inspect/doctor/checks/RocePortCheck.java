// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SysfsGid;

/** A reminder: RoCE v2 is UDP to port 4791, and who drops it cannot be seen from one end. */
final class RocePortCheck implements Check {
    @Override
    public String name() {
        return "RoCE port";
    }

    @Override
    public Finding run(Environment environment) {
        boolean roce = environment.ports().stream()
                .flatMap(port -> port.gids().stream())
                .anyMatch(SysfsGid::isRoceV2);
        if (!roce) {
            return Finding.of(Status.NOT_APPLICABLE, "no port speaks RoCE v2");
        }
        if (environment.request().peer().isEmpty()) {
            return Finding.of(
                    Status.NOT_APPLICABLE,
                    "RoCE v2 is UDP to port 4791, which must get through to peers; give --peer for how to try it");
        }
        String peer = environment.request().peer().get().host();
        return Finding.of(
                Status.UNKNOWN,
                "whether UDP port 4791 gets through to " + peer + " cannot be seen from here alone; TCP that works"
                        + " says nothing about it",
                new Remedy("try it: on the peer", "ibv_rc_pingpong -d DEVICE -g INDEX"),
                new Remedy("and then here", "ibv_rc_pingpong -d DEVICE -g INDEX " + peer),
                new Remedy(
                        "allow it on the way, and with Soft-RoCE on the peer, here in nftables' usual table",
                        "nft add rule inet filter input udp dport 4791 accept"));
    }
}

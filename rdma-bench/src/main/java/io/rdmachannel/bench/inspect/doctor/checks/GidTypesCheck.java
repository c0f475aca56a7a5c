// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import io.rdmachannel.bench.inspect.system.SysfsGid;
import io.rdmachannel.bench.inspect.system.SysfsPort;

/** Whether RoCE ports speak version 2, which can be routed and marked. */
final class GidTypesCheck implements Check {
    @Override
    public String name() {
        return "GID types";
    }

    @Override
    public Finding run(Environment environment) {
        Finding finding = Finding.nothing();
        for (SysfsPort port : environment.ports()) {
            if (port.isEthernet() && port.isActive()) {
                finding = finding.and(check(port));
            }
        }
        return finding.seen().isEmpty() ? finding.and(Status.NOT_APPLICABLE, "no active port is on Ethernet") : finding;
    }

    private static Finding check(SysfsPort port) {
        long version2 = port.gids().stream().filter(SysfsGid::isRoceV2).count();
        if (version2 > 0) {
            return Finding.of(
                    Status.OK, port + ": " + version2 + " of " + port.gids().size() + " GIDs are of RoCE v2");
        }
        if (port.gids().isEmpty()) {
            return Finding.of(
                    Status.PROBLEM,
                    port + ": its GID table is empty",
                    new Remedy("give its interface an address; see the check 'addresses'", null));
        }
        return Finding.of(
                Status.WARNING,
                port + ": no GID is of RoCE v2, so that packets cannot be routed",
                new Remedy("update driver and firmware; old adapters, such as the ConnectX-3, have v1 only", null));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import java.util.List;

/** The checks, in the order in which they build on each other: the first problem is often the cause of later ones. */
public final class AllChecks {
    private AllChecks() {}

    /**
     * Lists the checks.
     *
     * @return all of them
     */
    public static List<Check> list() {
        return List.of(
                new JavaCheck(),
                new VerbsLibraryCheck(),
                new ConnectionManagerCheck(),
                new KernelModulesCheck(),
                new DevicesCheck(),
                new ProviderCheck(),
                new DeviceNodesCheck(),
                new OpeningCheck(),
                new LockedMemoryCheck(),
                new PortsCheck(),
                new AddressesCheck(),
                new GidTypesCheck(),
                new ChoiceCheck(),
                new RouteCheck(),
                new PeerCheck(),
                new MtuCheck(),
                new FlowControlCheck(),
                new RocePortCheck(),
                new NumaCheck(),
                new HugePagesCheck(),
                new IommuCheck(),
                new CgroupsCheck(),
                new NamespacesCheck(),
                new ProcessorPowerCheck());
    }
}

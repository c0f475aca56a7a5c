// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An RDMA device, as sysfs shows it.
 *
 * @param name such as {@code mlx5_0} or {@code rxe0}
 * @param node the name of its node below {@code /dev/infiniband}, such as {@code uverbs0}; empty without ib_uverbs
 * @param driver the kernel's driver of the adapter, such as {@code mlx5_core}; {@code rdma_rxe} and {@code siw} for
 *     devices in software; empty when it cannot be told
 * @param address the adapter's place on the PCI bus; empty for devices in software
 * @param numaNode the node that the adapter is attached to; -1 when there is none
 * @param localProcessors the processors near to it, in the kernel's list format; empty when sysfs does not say
 * @param firmware the firmware's version; may be empty
 * @param interfaces the network interfaces of the adapter
 * @param ports its ports
 */
public record SysfsDevice(
        String name,
        String node,
        String driver,
        String address,
        int numaNode,
        String localProcessors,
        String firmware,
        List<String> interfaces,
        List<SysfsPort> ports) {
    /**
     * Says whether there is no adapter.
     *
     * @return true for Soft-RoCE and its kin
     */
    public boolean isSoftware() {
        return address.isEmpty();
    }

    /**
     * Gives all network interfaces through which the device is addressed.
     *
     * @return those of the adapter and those of the GID tables, each once
     */
    public Set<String> networkInterfaces() {
        Set<String> names = new LinkedHashSet<>(interfaces);
        ports.forEach(port -> names.addAll(port.networkInterfaces()));
        return names;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.devices;

import java.util.List;

/**
 * The RDMA devices of this machine; what {@code devices} writes as JSON.
 *
 * @param reason why RDMA cannot be used at all, and what to do; null when a device can be used
 * @param devices the devices that the kernel has
 * @param choices what a channel would choose, for each address that was asked for
 */
public record DeviceInventory(String reason, List<DeviceEntry> devices, List<AddressChoice> choices) {
    /** Copies the lists. */
    public DeviceInventory {
        devices = List.copyOf(devices);
        choices = List.copyOf(choices);
    }

    /**
     * Says whether a channel could use one of the devices.
     *
     * @param chosen whether it must be by all addresses that were asked for
     * @return true if so
     */
    public boolean isUsable(boolean chosen) {
        return reason == null && (!chosen || choices.stream().allMatch(AddressChoice::hasDevice));
    }
}

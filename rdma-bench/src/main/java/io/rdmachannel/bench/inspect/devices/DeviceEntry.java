// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.devices;

import io.rdmachannel.verbs.DeviceAttributes;
import java.util.List;

/**
 * A device.
 *
 * @param name its name
 * @param problem why it cannot be used; null when it can. Then there are no identity, limits and ports
 * @param driver the kernel's driver; empty when it cannot be told
 * @param pciAddress the adapter's place; empty for devices in software
 * @param numaNode the node that the adapter is attached to; -1 for none
 * @param localProcessors the processors near to it; empty when not told
 * @param identity what it says it is; null with a problem
 * @param limits how much of everything it has; null with a problem
 * @param ports its ports
 */
public record DeviceEntry(
        String name,
        String problem,
        String driver,
        String pciAddress,
        int numaNode,
        String localProcessors,
        Identity identity,
        DeviceLimits limits,
        List<PortEntry> ports) {
    /** Copies the list. */
    public DeviceEntry {
        ports = List.copyOf(ports);
    }

    /**
     * What a device says it is.
     *
     * @param nodeGuid the identifier of the device, 16 hexadecimal digits in groups
     * @param firmware the firmware's version; may be empty
     * @param vendorId the vendor's number, hexadecimal
     * @param partId the vendor's number for the part
     * @param hardwareVersion the version of the hardware, hexadecimal
     */
    public record Identity(String nodeGuid, String firmware, String vendorId, long partId, String hardwareVersion) {
        static Identity of(DeviceAttributes attributes) {
            return new Identity(
                    guid(attributes.nodeGuid()),
                    attributes.firmwareVersion(),
                    "0x%04x".formatted(attributes.vendorId()),
                    attributes.vendorPartId(),
                    "0x%x".formatted(attributes.hardwareVersion()));
        }

        private static String guid(long guid) {
            return "%016x".formatted(guid).replaceAll("(.{4})(?!$)", "$1:");
        }
    }
}

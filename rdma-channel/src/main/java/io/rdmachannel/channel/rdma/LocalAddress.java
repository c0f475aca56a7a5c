// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * The local address of a control connection, and the network interface that has it.
 *
 * @param address the address
 * @param interfaceIndex the number of the interface, 0 when there is none
 * @param portGuid the GUID of the InfiniBand port below the interface (IPoIB), 0 for other interfaces
 */
record LocalAddress(InetAddress address, int interfaceIndex, long portGuid) {
    private static final Path INTERFACES = Path.of("/sys/class/net");
    /** A hardware address of IPoIB: 4 bytes of flags and queue pair number, and the port's GID. */
    private static final int INFINIBAND_BYTES = 20;

    /** Looks the interface up. */
    static LocalAddress of(InetAddress address) {
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(address);
            return found == null
                    ? new LocalAddress(address, 0, 0)
                    : new LocalAddress(address, found.getIndex(), portGuid(hardwareAddress(found.getName())));
        } catch (IOException unknown) {
            return new LocalAddress(address, 0, 0);
        }
    }

    /** Whether only this host has it. */
    boolean isLoopback() {
        return address.isLoopbackAddress();
    }

    /** The GUID in a hardware address as sysfs shows it; 0 when it is not of InfiniBand. */
    static long portGuid(String hardwareAddress) {
        String digits = hardwareAddress.replace(":", "");
        return digits.length() == 2 * INFINIBAND_BYTES
                ? HexFormat.fromHexDigitsToLong(digits, digits.length() - 2 * Long.BYTES, digits.length())
                : 0;
    }

    private static String hardwareAddress(String interfaceName) throws IOException {
        Path file = INTERFACES.resolve(interfaceName).resolve("address");
        return Files.isReadable(file) ? Files.readString(file).strip() : "";
    }

    @Override
    public String toString() {
        return address.getHostAddress();
    }
}

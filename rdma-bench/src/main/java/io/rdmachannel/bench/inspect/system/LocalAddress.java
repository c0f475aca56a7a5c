// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import io.rdmachannel.verbs.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/**
 * An address of this host.
 *
 * @param networkInterface the name of the interface that has it
 * @param address the address
 */
public record LocalAddress(String networkInterface, InetAddress address) {
    /**
     * Lists the addresses of this host, in this network namespace.
     *
     * @return addresses of interfaces that are up, loopback included
     * @throws SocketException if the interfaces cannot be listed
     */
    public static List<LocalAddress> all() throws SocketException {
        List<LocalAddress> all = new ArrayList<>();
        for (NetworkInterface one : NetworkInterface.networkInterfaces().toList()) {
            if (one.isUp()) {
                for (InterfaceAddress address : one.getInterfaceAddresses()) {
                    all.add(new LocalAddress(one.getName(), address.getAddress()));
                }
            }
        }
        return all;
    }

    /**
     * Gives the address as it is usually written.
     *
     * @return such as {@code 10.77.0.1} or {@code fe80::1}, without a scope
     */
    public String text() {
        return text(address);
    }

    /**
     * Gives an address as it is usually written.
     *
     * @param address the address
     * @return such as {@code 10.77.0.1} or {@code fe80::1}, without a scope
     */
    public static String text(InetAddress address) {
        return address instanceof Inet4Address
                ? address.getHostAddress()
                : Gid.ofInetAddress(address).toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

import io.rdmachannel.bench.inspect.system.LocalAddress;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.DevicePreview;
import io.rdmachannel.mempool.LockedMemory;
import io.rdmachannel.verbs.RdmaException;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;

/** What this process gets from the RDMA libraries, and from Java: answers that no file has. */
public interface RdmaLibrary {
    /**
     * Says why this process may not call native code.
     *
     * @return the reason with its remedy; empty when it may
     */
    Optional<String> nativeAccessProblem();

    /**
     * Says why {@code libibverbs} cannot be used.
     *
     * @return the reason with its remedy; empty when it can
     */
    Optional<String> verbsProblem();

    /**
     * Says why {@code librdmacm} cannot be used.
     *
     * @return the reason with its remedy; empty when it can
     */
    Optional<String> connectionManagerProblem();

    /**
     * Lists the devices that the library offers.
     *
     * @return their names
     * @throws RdmaException if it refuses
     */
    List<String> devices();

    /**
     * Opens a device and closes it again.
     *
     * @param device its name
     * @return why it cannot be opened; empty when it can
     */
    Optional<String> openingProblem(String device);

    /**
     * Gives the largest payload of a packet that a port can send now.
     *
     * @param device the device's name
     * @param port from 1
     * @return bytes; 0 when it cannot be told
     */
    int activeMtu(String device, int port);

    /**
     * Decides which device, port and GID a channel would use.
     *
     * @param local the local address of the control connection
     * @return the decision
     * @throws ChannelException if no device will do
     */
    DevicePreview choose(InetAddress local);

    /**
     * Gives what this process may lock and pin.
     *
     * @return a snapshot
     */
    LockedMemory lockedMemory();

    /**
     * Lists the addresses of this host.
     *
     * @return those of interfaces that are up
     * @throws SocketException if they cannot be listed
     */
    List<LocalAddress> addresses() throws SocketException;
}

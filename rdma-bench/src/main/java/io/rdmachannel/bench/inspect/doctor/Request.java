// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

import java.net.InetAddress;
import java.util.Optional;

/**
 * What the user wants to know about.
 *
 * @param address the local address that channels are to use
 * @param peer whom they are to reach
 */
public record Request(Optional<InetAddress> address, Optional<Peer> peer) {
    /**
     * Asks about the machine alone.
     *
     * @return a request without address and peer
     */
    public static Request none() {
        return new Request(Optional.empty(), Optional.empty());
    }
}

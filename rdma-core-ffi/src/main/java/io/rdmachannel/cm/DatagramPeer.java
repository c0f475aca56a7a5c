// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.verbs.AddressVector;
import java.util.Objects;

/**
 * What is needed to send datagrams to a peer that was looked up, or to a multicast group. A plain value. See
 * {@code rdma_get_cm_event(3)}.
 *
 * @param address how packets get there, for an address handle
 * @param queuePairNumber the number of the peer's queue pair, 24 bits
 * @param queueKey the queue key that datagrams must carry
 */
public record DatagramPeer(AddressVector address, int queuePairNumber, int queueKey) {
    /** Checks that there is an address. */
    public DatagramPeer {
        Objects.requireNonNull(address, "address");
    }
}

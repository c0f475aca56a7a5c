// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.ffi.generated.rdmacm.rdmacm_constants;
import java.util.function.IntSupplier;

/**
 * Which name space a port number is in, and with it the service of the connection. The ports have nothing to do with
 * those of TCP and UDP sockets. See {@code rdma_create_id(3)}.
 */
public enum PortSpace {
    /** Reliable connections. */
    TCP(rdmacm_constants::RDMA_PS_TCP),
    /** Datagrams: connecting looks the peer's queue pair up. */
    UDP(rdmacm_constants::RDMA_PS_UDP),
    /** Datagrams that can talk to IP over InfiniBand, with multicast. */
    IP_OVER_INFINIBAND(rdmacm_constants::RDMA_PS_IPOIB),
    /** Any service, addressed as InfiniBand does it. */
    INFINIBAND(rdmacm_constants::RDMA_PS_IB);

    private final IntSupplier raw;

    PortSpace(IntSupplier raw) {
        this.raw = raw;
    }

    int raw() {
        return raw.getAsInt();
    }

    /** Whether events carry what a datagram needs, in place of what a connection needs. */
    boolean isDatagram() {
        return this == UDP || this == IP_OVER_INFINIBAND;
    }
}

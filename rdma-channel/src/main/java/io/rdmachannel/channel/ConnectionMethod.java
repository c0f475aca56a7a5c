// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/** How the two sides of a channel find and describe each other; both must use the same one. */
public enum ConnectionMethod {
    /**
     * Over a TCP connection, which lives as long as the channel. Works also where librdmacm does not, such as in
     * containers with a bridged network, and for both transports.
     */
    TCP_EXCHANGE,
    /**
     * By librdmacm, in its port space for reliable connections: addresses are those of RDMA devices. For transport RDMA
     * only. There is no TCP connection, so that a peer whose process has ended shows when the kernel disconnects it.
     */
    RDMA_CM
}

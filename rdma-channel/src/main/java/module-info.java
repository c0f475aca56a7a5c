// SPDX-License-Identifier: Apache-2.0
/**
 * Channels between two processes, over RDMA or over TCP, with the same promises: messages whole, in order and once;
 * reads, writes and atomics in exposed memory of the peer.
 */
module io.rdmachannel.channel {
    requires transitive io.rdmachannel.mempool;
    requires jdk.jfr;
    requires org.slf4j;

    exports io.rdmachannel.channel;
}

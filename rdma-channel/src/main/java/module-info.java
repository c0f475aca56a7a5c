// SPDX-License-Identifier: Apache-2.0
/**
 * Channels between two processes, over RDMA or over TCP, with the same promises: messages whole, in order and once;
 * reads, writes and atomics in exposed memory of the peer.
 */
// Micrometer's jar names its module in the manifest only.
@SuppressWarnings("requires-automatic")
module io.rdmachannel.channel {
    requires transitive io.rdmachannel.mempool;
    requires jdk.jfr;
    requires static micrometer.core;
    requires org.slf4j;

    exports io.rdmachannel.channel;
    exports io.rdmachannel.channel.micrometer;
}

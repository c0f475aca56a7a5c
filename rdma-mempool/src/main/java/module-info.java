// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory for RDMA: a pool of buffers with their keys, and a cache of registrations for memory of others.
 *
 * <p>Stands alone: a program with its own verbs code needs this module and {@code io.rdmachannel.ffi} only, and a
 * program with no RDMA device at all can use the pool unregistered.
 */
module io.rdmachannel.mempool {
    requires transitive io.rdmachannel.ffi;
    requires jdk.jfr;
    requires org.slf4j;

    exports io.rdmachannel.mempool;
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

/**
 * What is alike for all that is compared.
 *
 * @param host the address of this machine that clients connect to
 * @param device the RDMA device
 * @param devicePort its port, from 1
 * @param gidIndex entry of its GID table; -1 where none is needed
 * @param serverCpu processor of the servers; -1 for any
 * @param clientCpu processor of the clients; -1 for any
 * @param iterations operations of one measurement
 * @param warmUp operations of ours before that
 * @param txDepth operations outstanding at a time, for bandwidth
 * @param inline bytes up to which both go inline; -1 for the default of each
 * @param timeoutSeconds how long one measurement may take
 */
record CompareSetting(
        String host,
        String device,
        int devicePort,
        int gidIndex,
        int serverCpu,
        int clientCpu,
        int iterations,
        int warmUp,
        int txDepth,
        int inline,
        int timeoutSeconds) {}

// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that connect through {@code librdmacm}, and understand the programs of rdma-core:
 * {@link io.rdmachannel.examples.cm.Rping} is a counterpart of {@code rping}, and
 * {@link io.rdmachannel.examples.cm.RdmaClient} and {@link io.rdmachannel.examples.cm.RdmaServer} of
 * {@code rdma_client} and {@code rdma_server}.
 */
package io.rdmachannel.examples.cm;

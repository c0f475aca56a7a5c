// SPDX-License-Identifier: Apache-2.0
/**
 * The rdma transport: links that are reliable queue pairs. A {@link io.rdmachannel.channel.rdma.RdmaSource} holds what
 * all links of an event loop on one device share; the rest belongs to one link.
 */
package io.rdmachannel.channel.rdma;

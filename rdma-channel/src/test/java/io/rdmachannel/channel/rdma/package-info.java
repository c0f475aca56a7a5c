// SPDX-License-Identifier: Apache-2.0
/** Tests of the rdma transport. */
package io.rdmachannel.channel.rdma;

// SPDX-License-Identifier: Apache-2.0
/** The commands {@code devices} and {@code doctor}: what RDMA this machine has, and what is wrong with it. */
package io.rdmachannel.bench.inspect;

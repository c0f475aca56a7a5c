// SPDX-License-Identifier: Apache-2.0
/** The command-line tool {@code rdma-bench}: its entry point, and what all its commands share. */
package io.rdmachannel.bench.tool;

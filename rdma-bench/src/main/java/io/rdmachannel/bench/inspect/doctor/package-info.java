// SPDX-License-Identifier: Apache-2.0
/** What {@code rdma-bench doctor} does: runs checks, each of which says what it saw and how to put it right. */
package io.rdmachannel.bench.inspect.doctor;

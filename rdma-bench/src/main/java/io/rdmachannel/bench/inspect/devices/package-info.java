// SPDX-License-Identifier: Apache-2.0
/** What {@code rdma-bench devices} tells: devices, ports, GIDs, limits, and what the library would choose. */
package io.rdmachannel.bench.inspect.devices;

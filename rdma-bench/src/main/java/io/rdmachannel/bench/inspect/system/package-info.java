// SPDX-License-Identifier: Apache-2.0
/** What the kernel and the system's programs tell about RDMA: files of sysfs and procfs, and output of commands. */
package io.rdmachannel.bench.inspect.system;

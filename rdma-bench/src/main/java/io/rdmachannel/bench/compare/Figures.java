// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What one run found.
 *
 * @param main median latency in microseconds, or average bandwidth in MB/sec of 1048576 bytes
 * @param p99 99th percentile of latency in microseconds; null for bandwidth
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Figures(double main, Double p99) {}

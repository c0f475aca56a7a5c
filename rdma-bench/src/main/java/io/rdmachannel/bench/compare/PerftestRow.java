// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import java.util.List;

/**
 * One line of perftest's results.
 *
 * @param size bytes of one operation
 * @param iterations how many it says there were
 * @param figures median and 99th percentile, or bandwidth
 * @param raw the latencies of the single operations in microseconds, in their order; empty without {@code -U}
 */
record PerftestRow(int size, long iterations, Figures figures, List<Double> raw) {}

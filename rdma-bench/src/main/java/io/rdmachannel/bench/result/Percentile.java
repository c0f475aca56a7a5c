// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

/**
 * One point of the distribution of latencies.
 *
 * @param percentile 0 to 100
 * @param micros so many percent of the operations took at most this long, in microseconds
 */
public record Percentile(double percentile, double micros) {}

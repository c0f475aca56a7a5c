// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import java.util.Collection;

/**
 * A figure of several rounds.
 *
 * @param median the middle one, or the mean of the two in the middle
 * @param low the least
 * @param high the most
 */
record Spread(double median, double low, double high) {
    static Spread of(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import java.util.List;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/**
 * Latencies of one size, in microseconds.
 *
 * @param basis what is printed: half a round trip, or more
 * @param min the least
 * @param max the most
 * @param typical the median
 * @param average the mean
 * @param deviation the standard deviation
 * @param percentiles points of the distribution, in ascending order
 */
public record Latency(
        LatencyBasis basis,
        double min,
        double max,
        double typical,
        double average,
        double deviation,
        List<Percentile> percentiles) {
    private static final double NANOS_PER_MICRO = 1000;
    private static final double[] LADDER = {
        0, 10, 20, 30, 40, 50, 60, 70, 75, 80, 90, 95, 97, 98, 99, 99.5, 99.9, 99.95, 99.99, 99.995, 99.999, 100
    };

    /**
     * Reads a histogram of whole times in nanoseconds.
     *
     * @param times at least one
     * @param basis what to make of them
     * @param wanted percentiles that the user asked for, beside the usual ones
     * @return the summary
     */
    public static Latency of(Histogram times, LatencyBasis basis, List<Double> wanted) {
        double unit = NANOS_PER_MICRO * basis.divisor();
        List<Percentile> percentiles = DoubleStream.concat(
                        DoubleStream.of(LADDER), wanted.stream().mapToDouble(Double::doubleValue))
                .sorted()
                .distinct()
                .mapToObj(percent -> new Percentile(percent, times.getValueAtPercentile(percent) / unit))
                .toList();
        return new Latency(
                basis,
                times.getMinValue() / unit,
                times.getMaxValue() / unit,
                times.getValueAtPercentile(50) / unit,
                times.getMean() / unit,
                times.getStdDeviation() / unit,
                percentiles);
    }

    /**
     * Gives a percentile.
     *
     * @param percent one that is in the list
     * @return microseconds
     * @throws IllegalArgumentException if it is not in the list
     */
    public double percentile(double percent) {
        return percentiles.stream()
                .filter(point -> Double.compare(point.percentile(), percent) == 0)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("percentile " + percent + " was not kept"))
                .micros();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import io.rdmachannel.bench.result.Percentile;
import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jfree.chart.JFreeChart;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Draws latencies: by size, and how they are distributed. */
final class LatencyPlots {
    private static final int SMALL = 64;
    private static final int LARGE = 4096;
    private static final double TAIL = 99;

    private LatencyPlots() {}

    /** Medians and 99th percentiles by size. */
    static Plot bySize(TestKind test, List<Curve> curves) {
        XYSeriesCollection data = new XYSeriesCollection();
        for (Curve curve : curves) {
            XYSeries median = new XYSeries(curve.label() + ": median");
            XYSeries tail = new XYSeries(curve.label() + ": 99 %");
            for (TestResult result : curve.results()) {
                median.add(result.size(), positive(result.latency().typical()));
                tail.add(result.size(), positive(result.latency().percentile(TAIL)));
            }
            data.addSeries(median);
            data.addSeries(tail);
        }
        JFreeChart chart = PlotStyle.lines(data, MarkedLogAxis.sizes(), MarkedLogAxis.micros(), true);
        for (int i = 0; i < data.getSeriesCount(); i++) {
            PlotStyle.line(chart, i, i / 2, i % 2 == 1);
        }
        return new Plot(
                "plot-latency-by-size-" + test.label(),
                "Latency of " + test.label() + " by size",
                "Whole lines are medians, dashed ones 99th percentiles; less is better. Latency is "
                        + test.basis().meaning() + ", or at a fixed rate the time from the intended start to the end.",
                chart);
    }

    /** The distributions of a small and a large size. */
    static Plot distribution(TestKind test, List<Curve> curves) {
        XYSeriesCollection data = new XYSeriesCollection();
        List<Integer> colours = new ArrayList<>();
        List<Boolean> dashed = new ArrayList<>();
        for (int i = 0; i < curves.size(); i++) {
            Curve curve = curves.get(i);
            TreeSet<Integer> sizes = new TreeSet<>(
                    List.of(curve.nearest(SMALL).size(), curve.nearest(LARGE).size()));
            for (int size : sizes) {
                data.addSeries(percentiles(curve, size));
                colours.add(i);
                dashed.add(size != sizes.first());
            }
        }
        JFreeChart chart = PlotStyle.lines(data, MarkedLogAxis.percentiles(), MarkedLogAxis.micros(), false);
        for (int i = 0; i < data.getSeriesCount(); i++) {
            PlotStyle.line(chart, i, colours.get(i), dashed.get(i));
        }
        return new Plot(
                "plot-percentiles-" + test.label(),
                "Percentiles of the latency of " + test.label(),
                "So many percent of the operations took at most so long; dashed lines are the larger size. The scale"
                        + " stretches the tail: 90 % to 99 % is as wide as 99 % to 99.9 %. A line ends at the maximum.",
                chart);
    }

    private static XYSeries percentiles(Curve curve, int size) {
        TestResult result = curve.nearest(size);
        XYSeries series = new XYSeries(curve.label() + ", " + SizeFormat.bytes(result.size()));
        for (Percentile point : result.latency().percentiles()) {
            // Beyond one in all operations a percentile tells nothing that the maximum does not.
            boolean told = point.percentile() < 100 && MarkedLogAxis.tail(point.percentile()) <= result.iterations();
            if (told) {
                series.add(MarkedLogAxis.tail(point.percentile()), positive(point.micros()));
            }
        }
        series.add(
                (double) Math.max(2, result.iterations()),
                positive(result.latency().max()));
        return series;
    }

    /** A log axis has no place for 0. */
    private static double positive(double micros) {
        return Math.max(micros, 0.001);
    }
}

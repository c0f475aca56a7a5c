// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Draws bandwidth by size. */
final class BandwidthPlots {
    private BandwidthPlots() {}

    static Plot bySize(TestKind test, List<Curve> curves) {
        XYSeriesCollection data = new XYSeriesCollection();
        for (Curve curve : curves) {
            XYSeries series = new XYSeries(curve.label());
            for (TestResult result : curve.results()) {
                series.add(result.size(), result.bandwidth().mebibytesPerSecond());
            }
            data.addSeries(series);
        }
        NumberAxis range = new NumberAxis("bandwidth in MB/s (1 MB is 1048576 bytes)");
        range.setAutoRangeIncludesZero(true);
        range.setNumberFormatOverride(PlotStyle.numbers());
        JFreeChart chart = PlotStyle.lines(data, MarkedLogAxis.sizes(), range, true);
        for (int i = 0; i < data.getSeriesCount(); i++) {
            PlotStyle.line(chart, i, i, false);
        }
        return new Plot(
                "plot-bandwidth-by-size-" + test.label(),
                "Bandwidth of " + test.label() + " by size",
                "Payload of operations that have ended, with as many outstanding as the table says; more is better.",
                chart);
    }
}

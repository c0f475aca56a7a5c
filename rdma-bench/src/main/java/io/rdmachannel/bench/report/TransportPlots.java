// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import io.rdmachannel.channel.Transport;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;

/** Draws RDMA and TCP side by side, for what was measured over both in the same way. */
final class TransportPlots {
    private TransportPlots() {}

    /** One result over RDMA, and the one over TCP that differs in nothing else. */
    private record Pair(TestResult rdma, TestResult tcp) {
        String label() {
            return rdma.test() + " " + SizeFormat.bytes(rdma.size()) + " " + rdma.mode();
        }
    }

    /** Plots for latency and for bandwidth, each only where there is a pair. */
    static List<Plot> all(Curves curves) {
        List<Plot> plots = new ArrayList<>();
        plot(
                        pairs(curves, true),
                        "latency",
                        "median latency in µs",
                        result -> result.latency().typical(),
                        "Less")
                .ifPresent(plots::add);
        plot(
                        pairs(curves, false),
                        "bandwidth",
                        "bandwidth in MB/s",
                        result -> result.bandwidth().mebibytesPerSecond(),
                        "More")
                .ifPresent(plots::add);
        return plots;
    }

    private static Optional<Plot> plot(
            List<Pair> pairs, String what, String axis, ToDoubleFunction<TestResult> figure, String better) {
        if (pairs.isEmpty()) {
            return Optional.empty();
        }
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        for (Pair pair : pairs) {
            data.addValue(figure.applyAsDouble(pair.rdma()), "RDMA", pair.label());
            data.addValue(figure.applyAsDouble(pair.tcp()), "TCP", pair.label());
        }
        JFreeChart chart =
                ChartFactory.createBarChart(null, null, axis, data, PlotOrientation.HORIZONTAL, true, false, false);
        PlotStyle.apply(chart);
        CategoryPlot plot = chart.getCategoryPlot();
        plot.setOutlinePaint(null);
        plot.setBackgroundPaint(Color.WHITE);
        BarRenderer renderer = (BarRenderer) plot.getRenderer();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setSeriesPaint(0, PlotStyle.colour(0));
        renderer.setSeriesPaint(1, PlotStyle.colour(1));
        return Optional.of(new Plot(
                "plot-rdma-against-tcp-" + what,
                "RDMA against TCP: " + what,
                better + " is better. Only what was measured over both, with the same test, mode and size.",
                chart));
    }

    private static List<Pair> pairs(Curves curves, boolean latency) {
        List<Pair> pairs = new ArrayList<>();
        for (TestKind test : curves.tests()) {
            if (test.isLatency() == latency) {
                List<TestResult> results = curves.of(test).stream()
                        .flatMap(curve -> curve.results().stream())
                        .filter(result -> result.ratePerSecond() == null)
                        .toList();
                results.stream()
                        .filter(result -> result.transport() == Transport.RDMA && isShown(result))
                        .forEach(rdma -> counterpart(rdma, results).ifPresent(tcp -> pairs.add(new Pair(rdma, tcp))));
            }
        }
        return pairs;
    }

    /** Bars for all sizes would be too many. */
    private static boolean isShown(TestResult result) {
        return switch (result.size()) {
            case 8, 64, 4096, 65536, 1 << 20 -> true;
            default -> false;
        };
    }

    private static Optional<TestResult> counterpart(TestResult rdma, List<TestResult> results) {
        return results.stream()
                .filter(result -> result.transport() == Transport.TCP
                        && result.mode() == rdma.mode()
                        && result.size() == rdma.size())
                .findFirst();
    }
}

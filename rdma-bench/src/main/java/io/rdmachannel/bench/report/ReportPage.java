// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import io.rdmachannel.bench.result.TestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The page: plots first, then where it was measured, then the numbers. */
final class ReportPage {
    private static final String STYLE = """
            body { font: 16px/1.5 sans-serif; color: #222; background: #fff; margin: 2rem auto; max-width: 60rem; \
            padding: 0 1rem; }
            figure { margin: 0 0 2.5rem; }
            figure svg { width: 100%; height: auto; border: 1px solid #ddd; }
            figcaption { color: #555; font-size: 0.9rem; }
            h2 { margin-top: 2.5rem; }
            .wide { overflow-x: auto; margin-bottom: 2rem; }
            table { border-collapse: collapse; font-size: 0.85rem; }
            caption { text-align: left; font-weight: bold; padding: 0.3rem 0; }
            th, td { border: 1px solid #ddd; padding: 0.2rem 0.6rem; text-align: right; white-space: nowrap; }
            th { background: #f4f4f4; }
            td:first-child, th:first-child { text-align: left; }
            """;

    private final String title;
    private final List<Source> sources;
    private final Curves curves;
    private final List<Plot> plots;

    /**
     * Makes a page.
     *
     * @param title its title
     * @param sources what was measured, with at least one result
     */
    ReportPage(String title, List<Source> sources) {
        this.title = title;
        this.sources = sources;
        this.curves = new Curves(sources);
        this.plots = plots(curves);
    }

    /** The ids of all plots, in their order. */
    List<String> plotIds() {
        return plots.stream().map(Plot::id).toList();
    }

    String html() {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                <link rel="icon" href="data:,">
                <style>
                %s</style>
                </head>
                <body>
                <h1>%s</h1>
                <p>%s</p>
                %s
                <h2>Environment</h2>
                %s
                <h2>Numbers</h2>
                %s
                </body>
                </html>
                """.formatted(
                        Html.escape(title),
                        STYLE,
                        Html.escape(title),
                        Html.escape(summary()),
                        plots.stream().map(ReportPage::figure).collect(Collectors.joining("\n")),
                        Numbers.environments(sources),
                        curves.tests().stream()
                                .map(test -> Numbers.results(test, curves.of(test)))
                                .collect(Collectors.joining("\n")));
    }

    private String summary() {
        String tests = curves.tests().stream().map(TestKind::label).collect(Collectors.joining(", "));
        boolean bothTransports = plots.stream().anyMatch(plot -> plot.id().startsWith("plot-rdma-against-tcp"));
        return "Measured by rdma-bench with channels of rdma-channel: " + tests + "."
                + (bothTransports ? "" : " No size was measured over both RDMA and TCP, so the two are not compared.");
    }

    private static List<Plot> plots(Curves curves) {
        List<Plot> plots = new ArrayList<>(TransportPlots.all(curves));
        for (TestKind test : curves.tests()) {
            if (test.isLatency()) {
                plots.add(LatencyPlots.distribution(test, curves.of(test)));
                plots.add(LatencyPlots.bySize(test, curves.of(test)));
            } else {
                plots.add(BandwidthPlots.bySize(test, curves.of(test)));
            }
        }
        return plots;
    }

    private static String figure(Plot plot) {
        return """
                <figure>
                <h2>%s</h2>
                %s
                <figcaption>%s</figcaption>
                </figure>
                """.formatted(Html.escape(plot.title()), SvgDrawing.draw(plot), Html.escape(plot.caption()));
    }
}

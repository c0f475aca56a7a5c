// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Line2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.Locale;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.StandardChartTheme;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYDataset;

/** How all plots look: colours that people with other eyes can tell apart, white ground, thin grid. */
final class PlotStyle {
    private static final Color[] COLOURS = {
        new Color(0x0072B2),
        new Color(0xD55E00),
        new Color(0x009E73),
        new Color(0xCC79A7),
        new Color(0xE69F00),
        new Color(0x56B4E9),
        new Color(0x000000)
    };
    private static final Color GRID = new Color(0xD0D0D0);
    private static final float WIDTH = 2f;
    private static final double LEGEND_HALF = 16;
    private static final RectangleInsets PADDING = new RectangleInsets(8, 8, 8, 28);
    private static final float[] DASHES = {6f, 4f};

    private PlotStyle() {}

    static Color colour(int index) {
        return COLOURS[index % COLOURS.length];
    }

    /** A chart of lines without a title of its own. */
    static JFreeChart lines(XYDataset data, ValueAxis domain, ValueAxis range, boolean points) {
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, points);
        renderer.setLegendLine(new Line2D.Double(-LEGEND_HALF, 0, LEGEND_HALF, 0));
        XYPlot plot = new XYPlot(data, domain, range, renderer);
        JFreeChart chart = new JFreeChart(null, JFreeChart.DEFAULT_TITLE_FONT, plot, true);
        apply(chart);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinePaint(GRID);
        plot.setRangeGridlinePaint(GRID);
        plot.setOutlinePaint(null);
        return chart;
    }

    /** Gives a line the colour of its curve; a dashed one is the same curve's tail. */
    static void line(JFreeChart chart, int series, int colour, boolean dashed) {
        XYLineAndShapeRenderer renderer =
                (XYLineAndShapeRenderer) chart.getXYPlot().getRenderer();
        renderer.setSeriesPaint(series, colour(colour));
        renderer.setSeriesStroke(
                series,
                dashed
                        ? new BasicStroke(WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, DASHES, 0f)
                        : new BasicStroke(WIDTH));
    }

    /** Numbers of any size without an exponent, and with no more digits than can be read. */
    static NumberFormat numbers() {
        return new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT));
    }

    static void apply(JFreeChart chart) {
        StandardChartTheme theme = (StandardChartTheme) StandardChartTheme.createJFreeTheme();
        theme.setLargeFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        theme.setRegularFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        theme.setSmallFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        theme.setShadowVisible(false);
        ChartFactory.setChartTheme(theme);
        theme.apply(chart);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(PADDING);
        chart.getLegend().setFrame(BlockBorder.NONE);
    }
}

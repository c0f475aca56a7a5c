// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import java.awt.geom.Rectangle2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.text.TextUtils;
import org.jfree.svg.SVGGraphics2D;
import org.jfree.svg.ViewBox;

/** Turns a chart into an SVG element for a page. */
final class SvgDrawing {
    private static final int WIDTH = 820;
    private static final int HEIGHT = 440;
    private static final double PRECISION = 1000;
    private static final String BEGIN = "<svg ";

    private SvgDrawing() {}

    /**
     * Draws.
     *
     * @param plot the plot
     * @return one element with the plot's id, which says its title to those who do not see it
     */
    static String draw(Plot plot) {
        String svg = element(plot.id(), plot.chart());
        if (!svg.startsWith(BEGIN)) {
            throw new IllegalStateException("no svg element: " + svg.substring(0, Math.min(80, svg.length())));
        }
        int end = svg.indexOf('>') + 1;
        return BEGIN + "role=\"img\" aria-labelledby=\"" + plot.id() + "-title\" "
                + svg.substring(BEGIN.length(), end)
                + "<title id=\"" + plot.id() + "-title\">" + Html.escape(plot.title() + ". " + plot.caption())
                + "</title>" + svg.substring(end);
    }

    private static String element(String id, JFreeChart chart) {
        // Letters as letters, and not as outlines, which nobody could search or read out.
        TextUtils.setUseDrawRotatedStringWorkaround(false);
        SVGGraphics2D graphics = new SVGGraphics2D(WIDTH, HEIGHT);
        // Several drawings share a page, and their parts must not share names.
        graphics.setDefsKeyPrefix(id);
        graphics.setGeomDoubleConverter(SvgDrawing::rounded);
        graphics.setTransformDoubleConverter(SvgDrawing::rounded);
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
        return graphics.getSVGElement(id, false, new ViewBox(0, 0, WIDTH, HEIGHT), null, null);
    }

    private static String rounded(double value) {
        return String.valueOf(Math.round(value * PRECISION) / PRECISION);
    }
}

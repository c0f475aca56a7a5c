// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** A logarithmic axis with marks at round values, which the library's own has at round exponents. */
final class MarkedLogAxis extends LogAxis {
    private static final long serialVersionUID = 1L;
    private static final double[] PERCENTS = {0, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 99.999, 99.9999};
    private static final double MANY_DECADES = 1e5;
    private static final int SIZE_SHIFT_MAX = 30;

    private final double[] marks;
    private final transient DoubleFunction<String> text;

    private MarkedLogAxis(String label, double[] marks, DoubleFunction<String> text) {
        super(label);
        this.marks = marks;
        this.text = text;
    }

    /** Sizes in bytes, with marks at every second power of 2. */
    static MarkedLogAxis sizes() {
        double[] marks = IntStream.rangeClosed(0, SIZE_SHIFT_MAX / 2)
                .mapToDouble(half -> 1L << 2 * half)
                .toArray();
        MarkedLogAxis axis = new MarkedLogAxis(
                "bytes of one operation (log scale)", marks, size -> SizeFormat.number(Math.round(size)));
        axis.setBase(2);
        return axis;
    }

    /** Microseconds, with marks at 1, 2, 5, 10 and so on. */
    static MarkedLogAxis micros() {
        NumberFormat format = new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT));
        double[] marks = IntStream.rangeClosed(-3, 8)
                .mapToObj(exponent -> Math.pow(10, exponent))
                .flatMapToDouble(decade -> DoubleStream.of(decade, 2 * decade, 5 * decade))
                .toArray();
        return new MarkedLogAxis("latency in µs (log scale)", marks, format::format);
    }

    /** Percentiles by how much is left above them: the places 1, 10, 100 are 0 %, 90 %, 99 %. */
    static MarkedLogAxis percentiles() {
        double[] marks = Arrays.stream(PERCENTS).map(MarkedLogAxis::tail).toArray();
        return new MarkedLogAxis(
                "percentile (log scale of what is left)",
                marks,
                place -> new DecimalFormat("0.####", DecimalFormatSymbols.getInstance(Locale.ROOT))
                                .format(100 - 100 / place)
                        + " %");
    }

    /** Where a percentile below 100 lies on the axis of percentiles. */
    static double tail(double percentile) {
        return 100 / (100 - percentile);
    }

    @Override
    @SuppressWarnings("rawtypes") // as the library has it
    public List refreshTicks(Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
        boolean below = RectangleEdge.isTopOrBottom(edge);
        boolean many = getUpperBound() / getLowerBound() > MANY_DECADES && getBase() != 2;
        return Arrays.stream(marks)
                .filter(mark -> mark >= getLowerBound() && mark <= getUpperBound())
                .filter(mark -> below || !many || isDecade(mark))
                .mapToObj(mark -> new NumberTick(
                        mark,
                        text.apply(mark),
                        below ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT,
                        TextAnchor.CENTER,
                        0))
                .toList();
    }

    private static boolean isDecade(double mark) {
        double exponent = Math.log10(mark);
        return Math.abs(exponent - Math.rint(exponent)) < 1e-9;
    }
}

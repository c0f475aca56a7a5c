// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import io.rdmachannel.bench.tool.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what perftest's programs print. The header line says what the columns are, and in what unit; between it and the
 * line with the results there may be the single latencies ({@code -U}) and the header once more.
 */
final class PerftestOutput {
    private static final Pattern HEADER = Pattern.compile("^\\s*#bytes\\s+#iterations\\s.*");
    private static final Pattern RAW = Pattern.compile("^(\\d+), ([0-9.eE+-]+)\\s*$");
    private static final Pattern ROW = Pattern.compile("^\\s*(\\d+)\\s+(\\d+)\\s+([0-9.\\s]+)$");
    private static final double MEGABYTE = 1 << 20;
    private static final double BITS_PER_MEGABYTE = MEGABYTE * Byte.SIZE;
    private static final int LAST_LINES = 8;

    private final List<PerftestRow> rows = new ArrayList<>();
    private final List<Double> raw = new ArrayList<>();
    private String header;

    private PerftestOutput() {}

    /**
     * Reads an output.
     *
     * @param text all of it
     * @return its results, at least one
     * @throws ToolException if there are none; with the end of the output in the message
     */
    static List<PerftestRow> parse(String text) {
        PerftestOutput output = new PerftestOutput();
        text.lines().forEach(output::line);
        if (output.rows.isEmpty()) {
            throw new ToolException("perftest printed no results, but:\n" + lastLines(text));
        }
        return output.rows;
    }

    /** Gives the end of an output, for messages. */
    static String lastLines(String text) {
        List<String> lines = text.strip().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    private void line(String line) {
        if (HEADER.matcher(line).matches()) {
            header = line;
            return;
        }
        Matcher single = RAW.matcher(line);
        if (single.matches()) {
            raw.add(Double.parseDouble(single.group(2)));
            return;
        }
        Matcher row = ROW.matcher(line);
        if (header != null && row.matches()) {
            String[] columns = row.group(3).strip().split("\\s+");
            Figures figures = header.contains("t_typical")
                    ? latency(columns)
                    : bandwidth(Integer.parseInt(row.group(1)), columns);
            rows.add(new PerftestRow(
                    Integer.parseInt(row.group(1)), Long.parseLong(row.group(2)), figures, List.copyOf(raw)));
            raw.clear();
        }
    }

    /** The columns t_min, t_max, t_typical, t_avg, t_stdev, 99%, 99.9%; better from the single latencies if printed. */
    private Figures latency(String[] columns) {
        requireColumns(columns, 6);
        if (raw.isEmpty()) {
            return new Figures(Double.parseDouble(columns[2]), Double.parseDouble(columns[5]));
        }
        return new Figures(percentile(50), percentile(99));
    }

    /**
     * The columns BW peak, BW average, MsgRate: in MB of 2 to the 20 bytes or in Gb of 10 to the 9 bits, and in
     * millions a second. The average has two decimals, which are too few where little goes; then the rate tells more.
     */
    private Figures bandwidth(int size, String[] columns) {
        if (!header.contains("BW average")) {
            throw new ToolException("perftest printed columns that are not known here: " + header.strip());
        }
        requireColumns(columns, 3);
        double printed = Double.parseDouble(columns[1]);
        double average = header.contains("BW average[Gb/sec]") ? printed * 1e9 / BITS_PER_MEGABYTE : printed;
        double byRate = Double.parseDouble(columns[2]) * 1e6 * size / MEGABYTE;
        double megabytes = average < 1 ? byRate : average;
        if (megabytes == 0) {
            throw new ToolException("perftest measured a bandwidth that it prints as 0: use a larger size");
        }
        return new Figures(megabytes, null);
    }

    private void requireColumns(String[] columns, int least) {
        if (columns.length < least) {
            throw new ToolException(
                    "perftest printed " + columns.length + " figures below these columns: " + header.strip());
        }
    }

    /** The least value that so many percent are not above, as HdrHistogram has it. */
    private double percentile(double percent) {
        List<Double> sorted = raw.stream().sorted().toList();
        int rank = (int) Math.ceil(percent / 100 * sorted.size());
        return sorted.get(Math.clamp(rank - 1L, 0, sorted.size() - 1));
    }
}

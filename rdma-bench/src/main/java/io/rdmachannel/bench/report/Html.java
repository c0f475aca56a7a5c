// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import java.util.List;
import java.util.stream.Collectors;

/** Pieces of HTML. */
final class Html {
    private Html() {}

    /** Makes text safe between and within tags. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** A table with a caption, columns and rows; all of it is escaped. */
    static String table(String caption, List<String> columns, List<List<String>> rows) {
        String head = columns.stream()
                .map(column -> "<th scope=\"col\">" + escape(column) + "</th>")
                .collect(Collectors.joining());
        String body = rows.stream().map(Html::row).collect(Collectors.joining("\n"));
        return """
                <div class="wide"><table>
                <caption>%s</caption>
                <thead><tr>%s</tr></thead>
                <tbody>
                %s
                </tbody>
                </table></div>
                """.formatted(escape(caption), head, body);
    }

    private static String row(List<String> cells) {
        return cells.stream()
                .map(cell -> "<td>" + escape(cell) + "</td>")
                .collect(Collectors.joining("", "<tr>", "</tr>"));
    }
}

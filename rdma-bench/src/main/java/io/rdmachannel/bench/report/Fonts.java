// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.report;

import io.rdmachannel.bench.tool.ToolException;
import java.awt.Font;
import java.awt.font.FontRenderContext;

/** Whether Java finds fonts, which it needs to lay out text although it is the browser that draws it. */
final class Fonts {
    private static final int POINTS = 12;

    private Fonts() {}

    /**
     * Measures a word.
     *
     * @throws ToolException if there are no fonts
     */
    static void require() {
        try {
            new Font(Font.SANS_SERIF, Font.PLAIN, POINTS)
                    .getStringBounds("latency", new FontRenderContext(null, true, true));
        } catch (RuntimeException | Error missing) {
            // Which of them it is differs with what is missing: the library, its configuration, or the fonts.
            throw new ToolException(
                    "Java has no fonts to lay out text with: install fontconfig and a font"
                            + " (`apt-get install fontconfig fonts-dejavu-core`)",
                    missing);
        }
    }
}

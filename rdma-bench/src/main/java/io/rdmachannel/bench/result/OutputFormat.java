// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import java.util.Locale;

/** How results are written. */
public enum OutputFormat {
    /** For people. */
    TABLE,
    /** Comma-separated values. */
    CSV,
    /** All there is, for programs and {@code rdma-bench report}. */
    JSON;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

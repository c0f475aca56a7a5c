// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import java.util.Locale;

/** How a command writes what it found. */
enum OutputFormat {
    /** Text for people. */
    TABLE,
    /** One JSON object, for programs. */
    JSON;

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

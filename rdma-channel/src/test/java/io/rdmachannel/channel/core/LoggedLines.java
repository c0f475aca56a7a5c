// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged at INFO and above while a test does something: the tests' logger writes to the error stream. */
public final class LoggedLines implements AutoCloseable {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Begins to listen. */
    public LoggedLines() {
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    /** Gives the lines so far of one level. */
    public List<String> of(String level) {
        return bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(" " + level + " io.rdmachannel."))
                .toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}

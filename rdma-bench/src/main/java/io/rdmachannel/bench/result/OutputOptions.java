// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.result;

import io.rdmachannel.bench.tool.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where results go, and in what form. */
public final class OutputOptions {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, csv or json (default: ${DEFAULT-VALUE}).")
    private OutputFormat format;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Write the results there, and nothing but a table to standard output.")
    private Path file;

    /** Made by picocli. */
    public OutputOptions() {}

    /**
     * Gives the form.
     *
     * @return table, CSV or JSON
     */
    public OutputFormat format() {
        return format;
    }

    /** Fails early where the file could not be written. */
    public void check() {
        if (file != null) {
            Path directory = file.toAbsolutePath().getParent();
            if (!Files.isDirectory(directory) || Files.isDirectory(file)) {
                throw new ToolException(file + " cannot be written: "
                        + (Files.isDirectory(file) ? "it is a directory" : directory + " is no directory"));
            }
        }
    }

    /**
     * Writes.
     *
     * @param text in the form that was asked for
     * @param table for people
     * @param out standard output
     */
    public void write(String text, String table, PrintWriter out) {
        if (file == null) {
            out.print(text);
        } else {
            try {
                Files.writeString(file, text, StandardCharsets.UTF_8);
            } catch (IOException failed) {
                throw new ToolException(file + " cannot be written: " + failed, failed);
            }
            out.print(table);
        }
        out.flush();
    }
}

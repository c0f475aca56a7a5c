// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.tool;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The tool in a process of its own; its output goes to a file. */
public final class ToolProcess implements AutoCloseable {
    private static final int LIMIT_SECONDS = 120;

    private final Process process;
    private final File output;

    private ToolProcess(Process process, File output) {
        this.process = process;
        this.output = output;
    }

    public static ToolProcess start(Path directory, String... arguments) {
        List<String> command = command(arguments);
        try {
            File output = Files.createTempFile(directory, "output", ".txt").toFile();
            return new ToolProcess(
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output)
                            .start(),
                    output);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The words that start it. */
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                RdmaBench.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    public String output() {
        try {
            return Files.readString(output.toPath());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public int status() throws InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("not ended in time:\n" + output());
        }
        return process.exitValue();
    }

    /** Ends it as a crash does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        status();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

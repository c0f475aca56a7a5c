// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** rdma-core's {@code ibv_rc_pingpong} as a process, which does not survive the test. */
final class CSide implements AutoCloseable {
    private static final long LIMIT_SECONDS = 60;

    private final Process process;
    private final Path out;
    private final Path err;

    private CSide(List<String> command) {
        try {
            out = Files.createTempFile("pingpong", ".out");
            err = Files.createTempFile("pingpong", ".err");
            process = new ProcessBuilder(command)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Starts it with the GID that the Java side finds by itself. */
    static CSide start(String line) {
        List<String> command = new ArrayList<>(List.of("ibv_rc_pingpong", "-g", String.valueOf(RdmaLab.gidIndex())));
        command.addAll(List.of(line.strip().split(" +")));
        return new CSide(command);
    }

    Process process() {
        return process;
    }

    Run await() {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("ibv_rc_pingpong did not end; it printed: " + text(out) + text(err));
            }
            return new Run(process.exitValue(), text(out), text(err));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopped);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        try {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code rdma-bench.jar} in a process of its own, below other programs that take something away from it. */
final class ToolProcess {
    private static final int LIMIT_SECONDS = 150;

    private final Path directory;
    private final String arguments;

    /**
     * Copies the jar, so that any user can read it.
     *
     * @param directory a directory that any user can enter
     * @param arguments those of the tool
     */
    ToolProcess(Path directory, String arguments) throws IOException {
        this.directory = directory;
        this.arguments = arguments;
        Path jar = Path.of(System.getProperty("basedir", "."), "target", "rdma-bench.jar");
        assertThat(jar).as("what 'mvn package' makes").exists();
        Files.copy(jar, directory.resolve("rdma-bench.jar"));
    }

    /** The words that run the tool. */
    String command() {
        return Path.of(System.getProperty("java.home"), "bin", "java")
                + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar " + directory.resolve("rdma-bench.jar") + " "
                + arguments;
    }

    /**
     * Runs shell commands one after the other, as long as they succeed. All output is the tool's.
     *
     * @param commands the last one runs the tool
     */
    ToolRun run(List<String> commands) throws IOException, InterruptedException {
        File output = directory.resolve("output").toFile();
        File errors = directory.resolve("errors").toFile();
        Process process = new ProcessBuilder("bash", "-c", String.join(" && ", commands))
                .directory(directory.toFile())
                .redirectOutput(output)
                .redirectError(errors)
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("the end of %s within %d s", commands, LIMIT_SECONDS)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new ToolRun(process.exitValue(), Files.readString(output.toPath()), Files.readString(errors.toPath()));
    }
}

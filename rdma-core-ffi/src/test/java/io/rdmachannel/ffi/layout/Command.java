// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end, or kills it at a deadline. */
final class Command {
    /**
     * What came of it.
     *
     * @param status the exit status
     * @param output what it wrote, errors included
     */
    record Outcome(int status, String output) {}

    private final Duration deadline;

    Command(Duration deadline) {
        this.deadline = deadline;
    }

    /** Throws {@link IOException} when the program cannot be started. */
    Outcome run(List<String> command) throws IOException, InterruptedException {
        // A file, since a pipe that nobody reads while waiting would stop a program that writes much.
        Path output = Files.createTempFile("command", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("LC_ALL", "C");
            return new Outcome(
                    await(builder.redirectOutput(output.toFile()).start(), command), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }

    private int await(Process process, List<String> command) throws InterruptedException {
        try {
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("not ended after " + deadline + ": " + String.join(" ", command));
            }
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}

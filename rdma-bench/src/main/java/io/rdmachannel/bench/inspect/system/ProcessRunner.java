// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Runs commands of this machine. Each has the same deadline, and is killed at it. Any thread; blocks. */
public final class ProcessRunner implements CommandRunner {
    private final Duration limit;

    /**
     * Makes a runner.
     *
     * @param limit how long a command may take
     */
    public ProcessRunner(Duration limit) {
        this.limit = limit;
    }

    @Override
    public CommandResult run(String... command) {
        Path output = null;
        try {
            // A file, not a pipe: a child of the command that keeps a pipe open would outlive the deadline.
            output = Files.createTempFile("rdma-bench-", ".out");
            return run(output, command);
        } catch (IOException failure) {
            return new CommandResult(CommandResult.NOT_RUN, failure.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new CommandResult(CommandResult.NOT_RUN, "interrupted while " + command[0] + " ran");
        } finally {
            delete(output);
        }
    }

    private CommandResult run(Path output, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile());
        builder.environment().put("PATH", path(builder.environment().get("PATH")));
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                String late = command[0] + " did not end within " + limit.toSeconds() + " s";
                return new CommandResult(CommandResult.NOT_RUN, late);
            }
        } finally {
            process.destroyForcibly();
        }
        return new CommandResult(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    /** Unprivileged users often lack the directories where ip, rdma and dcb are. */
    private static String path(String inherited) {
        return (inherited == null ? "/usr/bin:/bin" : inherited) + ":/usr/sbin:/sbin";
    }

    private static void delete(Path file) {
        if (file != null) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException ignored) {
                // The system empties its directory of temporary files.
            }
        }
    }
}

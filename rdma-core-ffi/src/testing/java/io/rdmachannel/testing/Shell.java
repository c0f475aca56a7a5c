// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Runs the small programs that tests compare with. */
public final class Shell {
    private static final int LIMIT_SECONDS = 30;

    private Shell() {}

    /**
     * What a program left.
     *
     * @param status its exit status
     * @param output what it wrote to either stream
     */
    public record Result(int status, String output) {}

    /** Runs a program that must succeed, and returns what it wrote. */
    public static String run(String... command) {
        Result result = tryRun(command);
        if (result.status() != 0) {
            throw new AssertionError(
                    String.join(" ", command) + " ended with status " + result.status() + ":\n" + result.output());
        }
        return result.output();
    }

    /** Runs a program. */
    public static Result tryRun(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", command) + " did not end in " + LIMIT_SECONDS + " s");
            }
            return new Result(process.exitValue(), output);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + command[0] + " ran", interrupted);
        }
    }
}

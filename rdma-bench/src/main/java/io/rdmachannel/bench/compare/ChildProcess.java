// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import io.rdmachannel.bench.tool.ToolException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that this one has started; ends with it. Both its streams are read, by a thread. */
final class ChildProcess implements AutoCloseable {
    private static final int JOIN_MILLIS = 5000;

    private final Process process;
    private final String command;
    private final StringBuilder output = new StringBuilder();
    private final Thread reader;

    private ChildProcess(Process process, String command) {
        this.process = process;
        this.command = command;
        this.reader =
                Thread.ofPlatform().daemon().name("output of " + process.pid()).start(this::read);
    }

    static ChildProcess start(List<String> command) {
        String text = String.join(" ", command);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            return new ChildProcess(process, text);
        } catch (IOException failed) {
            throw new ToolException("cannot run `" + text + "`: " + failed.getMessage(), failed);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it has printed so far. */
    String output() {
        synchronized (output) {
            return output.toString();
        }
    }

    /**
     * Waits for its end, which must be a good one.
     *
     * @param seconds how long at most
     * @return all that it printed
     * @throws ToolException if it fails or takes longer
     */
    String result(int seconds) throws InterruptedException {
        if (!await(seconds)) {
            throw new ToolException("`" + command + "` has not ended for " + seconds
                    + " s; --timeout allows more. It printed:\n" + PerftestOutput.lastLines(output()));
        }
        if (process.exitValue() != 0) {
            throw new ToolException("`" + command + "` ended with status " + process.exitValue() + " and printed:\n"
                    + PerftestOutput.lastLines(output()));
        }
        return output();
    }

    /** Waits for its end, and until its output is read; says whether that was in time. */
    boolean await(int seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            return false;
        }
        reader.join(JOIN_MILLIS);
        return true;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(1, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null) {
                add(line);
                line = lines.readLine();
            }
        } catch (IOException closed) {
            add("(" + closed.getMessage() + ")");
        }
    }

    private void add(String line) {
        synchronized (output) {
            output.append(line).append('\n');
        }
    }
}

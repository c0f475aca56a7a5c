// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of these examples in a JVM of its own. */
public final class ChildJvm implements AutoCloseable {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private boolean ended;

    private ChildJvm(Process process) {
        this.process = process;
        Thread.ofPlatform().name("output of " + process.pid()).daemon().start(this::read);
    }

    public static ChildJvm start(Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            return new ChildJvm(process);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Waits for the line "listening on port N", and gives N. */
    public int port() throws InterruptedException {
        return Integer.parseInt(restOfLine("listening on port "));
    }

    /** Waits for a line that begins so, and gives the rest of it. */
    public synchronized String restOfLine(String beginning) throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (true) {
            for (String line : lines) {
                if (line.startsWith(beginning)) {
                    return line.substring(beginning.length());
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (ended || left <= 0) {
                throw new AssertionError("no line \"" + beginning + "…\" in:\n" + String.join("\n", lines));
            }
            wait(left);
        }
    }

    /** Waits for the end, and gives the exit status. */
    public int status() throws InterruptedException {
        if (!process.waitFor(LIMIT_NANOS, TimeUnit.NANOSECONDS)) {
            throw new AssertionError("not ended in time:\n" + output());
        }
        return process.exitValue();
    }

    /** Waits until all output is read, and gives it. */
    public synchronized String output() throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!ended && !process.isAlive() && System.nanoTime() < end) {
            wait(TimeUnit.NANOSECONDS.toMillis(LIMIT_NANOS));
        }
        return String.join("\n", lines);
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

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = reader.readLine();
            while (line != null) {
                add(line);
                line = reader.readLine();
            }
        } catch (IOException closed) {
            add("(" + closed.getMessage() + ")");
        }
        synchronized (this) {
            ended = true;
            notifyAll();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }
}

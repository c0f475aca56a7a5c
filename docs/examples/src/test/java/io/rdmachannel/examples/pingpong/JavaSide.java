// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The example program, run in this process by a thread of its own. */
final class JavaSide {
    /** More than any limit that the tests give to the program itself. */
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final CompletableFuture<Run> run = new CompletableFuture<>();

    private JavaSide(String line) {
        Thread.ofPlatform().name("ping-pong " + line).daemon().start(() -> run(line));
    }

    static JavaSide start(String line) {
        return new JavaSide(line);
    }

    static Run run(String format, Object... values) {
        return start(format.formatted(values)).await();
    }

    Run await() {
        try {
            return run.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception failure) {
            throw new AssertionError("the Java side did not end", failure);
        }
    }

    private void run(String line) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (PrintStream outPrinter = new PrintStream(out, true, StandardCharsets.UTF_8);
                PrintStream errPrinter = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            int status = Main.run(outPrinter, errPrinter, line.strip().split(" +"));
            run.complete(new Run(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8)));
        } catch (Throwable failure) {
            run.completeExceptionally(failure);
        }
    }
}

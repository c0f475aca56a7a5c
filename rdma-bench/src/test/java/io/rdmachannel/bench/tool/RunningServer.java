// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.tool;

import io.rdmachannel.testing.Deadline;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server of the tool in a thread of this process, on a port that was free. */
public final class RunningServer implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("listening on port (\\d+)");
    private static final int LIMIT_SECONDS = 60;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Thread thread;
    private volatile int status = -1;

    private RunningServer(List<String> arguments) {
        this.thread = Thread.ofPlatform()
                .name("server")
                .start(() -> status = RdmaBench.commandLine()
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute(arguments.toArray(String[]::new)));
    }

    public static RunningServer start(String... options) {
        List<String> arguments = new ArrayList<>(List.of("server", "--port", "0"));
        arguments.addAll(List.of(options));
        RunningServer server = new RunningServer(arguments);
        server.await("listening on port ");
        return server;
    }

    public String port() {
        Matcher matcher = PORT.matcher(output());
        if (!matcher.find()) {
            throw new AssertionError("no port in: " + output());
        }
        return matcher.group(1);
    }

    public String output() {
        return out.toString() + err;
    }

    /** Waits until it has printed this. */
    public void await(String text) {
        Deadline.in(LIMIT_SECONDS, TimeUnit.SECONDS)
                .await(
                        "the server's '" + text + "' in: " + output(),
                        () -> output().contains(text) || !thread.isAlive());
        if (!output().contains(text)) {
            throw new AssertionError("the server has ended without '" + text + "': " + output());
        }
    }

    /** Waits for the end of a server with --once. */
    public int status() {
        Deadline.in(LIMIT_SECONDS, TimeUnit.SECONDS).awaitEnd(thread);
        return status;
    }

    @Override
    public void close() {
        thread.interrupt();
        Deadline.in(LIMIT_SECONDS, TimeUnit.SECONDS).awaitEnd(thread);
    }
}

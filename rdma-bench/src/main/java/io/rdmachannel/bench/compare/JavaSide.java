// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import io.rdmachannel.bench.result.TestKind;
import io.rdmachannel.bench.result.TestResult;
import io.rdmachannel.bench.tool.RdmaBench;
import io.rdmachannel.bench.tool.ToolException;
import io.rdmachannel.bench.traffic.ClientArguments;
import io.rdmachannel.bench.traffic.ClientSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures with rdma-bench: one server in a JVM of its own, which sleeps while C runs, and the client in a thread of
 * this process.
 */
final class JavaSide implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("(?m)^listening on port (\\d+)$");
    private static final int JOIN_MILLIS = 5000;
    private static final int RECEIVE_BYTES_MAX = 1 << 20;
    private static final int RECEIVE_BYTES_MIN = 8192;

    private final CompareSetting setting;
    private final ChildProcess server;
    private final String port;

    /** Starts the server, and waits until it listens. */
    JavaSide(CompareSetting setting) throws InterruptedException {
        this.setting = setting;
        this.server = ChildProcess.start(serverCommand());
        this.port = awaitPort();
    }

    Figures measure(Cell cell) throws InterruptedException {
        ClientSession session = ClientArguments.session(setting.host(), cell.test(), clientArguments(cell));
        // A thread for each measurement, since it is bound to a processor.
        FutureTask<List<TestResult>> task = new FutureTask<>(session::run);
        Thread thread = Thread.ofPlatform().daemon().name("traffic").start(task);
        try {
            return figures(task.get(setting.timeoutSeconds(), TimeUnit.SECONDS).getFirst());
        } catch (ExecutionException failed) {
            throw failure(failed.getCause());
        } catch (TimeoutException late) {
            throw new ToolException(
                    cell + " of ours has not ended in " + setting.timeoutSeconds()
                            + " s; --timeout allows more. It is at\n"
                            + ThreadDump.of(ProcessHandle.current().pid())
                            + serverSaid() + "\nIt is at\n"
                            + ThreadDump.of(server.pid()),
                    late);
        } finally {
            thread.interrupt();
            thread.join(JOIN_MILLIS);
        }
    }

    @Override
    public void close() {
        server.close();
    }

    /** What is measured must be alike: both sides receive into buffers of the message's size, as perftest does. */
    List<String> clientArguments(Cell cell) {
        int receiveBytes = Math.clamp(cell.size(), RECEIVE_BYTES_MIN, RECEIVE_BYTES_MAX);
        List<String> words = new ArrayList<>(List.of("--port", port, "--transport", "rdma"));
        words.addAll(deviceArguments());
        words.addAll(List.of("--cpu", String.valueOf(setting.clientCpu())));
        words.addAll(List.of("--timeout", String.valueOf(setting.timeoutSeconds())));
        words.addAll(List.of("--iters", String.valueOf(setting.iterations())));
        words.addAll(List.of("--warm-up", String.valueOf(setting.warmUp())));
        words.addAll(List.of("--tx-depth", String.valueOf(setting.txDepth())));
        words.addAll(List.of("--receive-bytes", String.valueOf(receiveBytes)));
        words.addAll(List.of("--mode", cell.mode().label()));
        if (cell.test() != TestKind.ATOMIC_LAT) {
            words.addAll(List.of("--size", String.valueOf(cell.size())));
        }
        if (setting.inline() >= 0) {
            words.addAll(List.of("--inline", String.valueOf(setting.inline())));
        }
        return words;
    }

    private List<String> serverCommand() {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                RdmaBench.class.getName(),
                "server",
                "--port",
                "0",
                "--transport",
                "rdma"));
        words.addAll(deviceArguments());
        words.addAll(List.of("--cpu", String.valueOf(setting.serverCpu())));
        words.addAll(List.of("--timeout", String.valueOf(setting.timeoutSeconds())));
        return words;
    }

    private List<String> deviceArguments() {
        return List.of(
                "--ib-dev",
                setting.device(),
                "--ib-port",
                String.valueOf(setting.devicePort()),
                "--gid-index",
                String.valueOf(setting.gidIndex()));
    }

    private String awaitPort() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(setting.timeoutSeconds());
        Matcher matcher = PORT.matcher(server.output());
        while (!matcher.find()) {
            if (!server.isAlive() || System.nanoTime() - end > 0) {
                server.close();
                throw new ToolException(
                        "our own server does not listen. It printed:\n" + PerftestOutput.lastLines(server.output()));
            }
            TimeUnit.MILLISECONDS.sleep(10);
            matcher = PORT.matcher(server.output());
        }
        return matcher.group(1);
    }

    private static Figures figures(TestResult result) {
        return result.latency() != null
                ? new Figures(result.latency().typical(), result.latency().percentile(99))
                : new Figures(result.bandwidth().mebibytesPerSecond(), null);
    }

    private String serverSaid() {
        return "\nOur own server " + (server.isAlive() ? "runs" : "has ended") + ", and printed:\n"
                + PerftestOutput.lastLines(server.output());
    }

    private RuntimeException failure(Throwable cause) {
        return new ToolException(cause.getMessage() + serverSaid(), cause);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.compare;

import io.rdmachannel.bench.tool.ToolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Measures with perftest's programs: a server and a client for each measurement. */
final class PerftestSide {
    private static final String LISTENING = "0A";
    private static final int ADDRESS_COLUMN = 1;
    private static final int STATE_COLUMN = 3;

    private final CompareSetting setting;

    PerftestSide(CompareSetting setting) {
        this.setting = setting;
    }

    Figures measure(Cell cell) throws InterruptedException {
        int port = freePort();
        List<String> client = new ArrayList<>(PerftestProgram.command(cell, setting, setting.clientCpu(), port));
        client.add(setting.host());
        try (ChildProcess serving =
                ChildProcess.start(PerftestProgram.command(cell, setting, setting.serverCpu(), port))) {
            awaitListening(serving, port);
            try (ChildProcess measuring = ChildProcess.start(client)) {
                return PerftestOutput.parse(measuring.result(setting.timeoutSeconds()))
                        .getFirst()
                        .figures();
            }
        }
    }

    /** What it prints comes only at its end, so it is the kernel that tells whether it listens. */
    private void awaitListening(ChildProcess server, int port) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(setting.timeoutSeconds());
        while (!isListening(port)) {
            if (!server.isAlive()) {
                server.result(1);
                throw new ToolException("perftest's server has ended: " + PerftestOutput.lastLines(server.output()));
            }
            if (System.nanoTime() - end > 0) {
                throw new ToolException("perftest's server does not listen after " + setting.timeoutSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static boolean isListening(int port) {
        String suffix = String.format(":%04X", port);
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .map(Path::of)
                .filter(Files::exists)
                .flatMap(PerftestSide::lines)
                .map(line -> line.strip().split("\\s+"))
                .anyMatch(columns -> columns.length > STATE_COLUMN
                        && columns[ADDRESS_COLUMN].endsWith(suffix)
                        && columns[STATE_COLUMN].equals(LISTENING));
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new ToolException("there is no free TCP port: " + failed.getMessage(), failed);
        }
    }
}

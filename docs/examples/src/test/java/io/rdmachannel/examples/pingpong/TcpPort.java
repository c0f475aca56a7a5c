// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** TCP ports of tests. */
final class TcpPort {
    private static final Duration LISTEN_LIMIT = Duration.ofSeconds(60);

    private TcpPort() {}

    static int free() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Waits until a server listens, without connecting: the servers here take one client only. */
    static void awaitListener(int port) {
        String local = String.format(":%04X ", port);
        Wait.until(
                "a server on port " + port,
                LISTEN_LIMIT,
                () -> sockets().anyMatch(line -> line.contains(local + "00000000") && line.contains(" 0A ")));
    }

    private static Stream<String> sockets() {
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6").map(Path::of).flatMap(TcpPort::lines);
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

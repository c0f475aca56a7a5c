// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Forwards connections to an address, and breaks them when it is told to. */
final class CuttingRelay implements AutoCloseable {
    private final InetSocketAddress target;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    CuttingRelay(InetSocketAddress target) {
        this.target = target;
        try {
            server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** Breaks all connections; new ones are possible at once. */
    void cut() {
        sockets.forEach(CuttingRelay::close);
        sockets.clear();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException unlikely) {
            throw new UncheckedIOException(unlikely);
        }
        cut();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                Socket far = new Socket(target.getAddress(), target.getPort());
                sockets.add(near);
                sockets.add(far);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> forward(near, far));
                Thread.ofVirtual().start(() -> forward(far, near));
            }
        } catch (IOException over) {
            // Closed.
        }
    }

    private static void forward(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cut) {
            // Either side has ended.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException unlikely) {
            throw new UncheckedIOException(unlikely);
        }
    }
}

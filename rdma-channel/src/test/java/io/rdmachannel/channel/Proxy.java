// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A network between two ends that can be cut, stopped and repaired. Forwards every connection to one address. */
final class Proxy implements AutoCloseable {
    /** How a RESUME of the control protocol begins (docs/protocol.md). */
    private static final byte[] RESUME = {'R', 'D', 'C', 'H', 1, 0, 0, 8};

    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile InetSocketAddress target;
    private boolean held;
    private final AtomicBoolean muting = new AtomicBoolean();
    private volatile boolean refusing;

    Proxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::acceptAll);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** New connections go elsewhere. */
    void redirect(InetSocketAddress other) {
        target = other;
    }

    /** Resets all connections; new ones are possible. */
    void cut() {
        for (Socket socket : sockets) {
            reset(socket);
        }
    }

    /** Resets all connections, and every new one until {@link #repair}. */
    void cutForGood() {
        refusing = true;
        cut();
    }

    /** Nothing gets through any more, and nobody is told. */
    synchronized void hold() {
        held = true;
    }

    /** The next connection that carries a RESUME carries neither it nor anything later in that direction. */
    void muteAtResume() {
        muting.set(true);
    }

    /** Whether {@link #muteAtResume} still waits for one. */
    boolean isMuting() {
        return muting.get();
    }

    /** All is as before. */
    synchronized void repair() {
        refusing = false;
        held = false;
        notifyAll();
    }

    @Override
    public void close() throws IOException {
        server.close();
        repair();
        cut();
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket client = server.accept();
                sockets.add(client);
                Thread.ofVirtual().start(() -> join(client));
            }
        } catch (IOException over) {
            // The proxy is closed.
        }
    }

    private void join(Socket client) {
        if (refusing) {
            reset(client);
            return;
        }
        Socket server = new Socket();
        try {
            server.connect(target);
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            sockets.add(server);
            Thread back = Thread.ofVirtual().start(() -> pump(server, client));
            pump(client, server);
            back.join();
            reset(client);
            reset(server);
        } catch (IOException unreachable) {
            reset(client);
        } catch (InterruptedException unlikely) {
            Thread.currentThread().interrupt();
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[16 * 1024];
        try {
            int count = from.getInputStream().read(buffer);
            while (count >= 0) {
                if (isResume(buffer, count) && muting.compareAndSet(true, false)) {
                    return;
                }
                awaitRelease();
                to.getOutputStream().write(buffer, 0, count);
                count = from.getInputStream().read(buffer);
            }
            // A network that carries nothing carries no end of a connection either.
            awaitRelease();
            to.shutdownOutput();
        } catch (IOException broken) {
            awaitRelease();
            reset(from);
            reset(to);
        }
    }

    private static boolean isResume(byte[] buffer, int count) {
        return count >= RESUME.length && Arrays.equals(buffer, 0, RESUME.length, RESUME, 0, RESUME.length);
    }

    private synchronized void awaitRelease() {
        boolean interrupted = false;
        while (held) {
            try {
                wait();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void reset(Socket socket) {
        sockets.remove(socket);
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException gone) {
            // It is closed already.
        }
    }
}

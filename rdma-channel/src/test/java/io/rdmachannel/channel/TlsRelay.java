// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Sits between two TLS connections: has a certificate that is trusted, and passes on what either side says. */
final class TlsRelay implements AutoCloseable {
    private final ServerSocket server;
    private final InetSocketAddress target;
    private final SSLContext accepting;
    private final SSLContext connecting;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** How many bytes have been read in passing. */
    final AtomicLong passed = new AtomicLong();

    TlsRelay(InetSocketAddress target, SSLContext accepting, SSLContext connecting) throws IOException {
        this.server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        this.target = target;
        this.accepting = accepting;
        this.connecting = connecting;
        Thread.ofVirtual().start(this::acceptAll);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket plain = server.accept();
                SSLSocket left = (SSLSocket) accepting.getSocketFactory().createSocket(plain, null, true);
                left.setUseClientMode(false);
                SSLSocket right =
                        (SSLSocket) connecting.getSocketFactory().createSocket(target.getAddress(), target.getPort());
                sockets.add(left);
                sockets.add(right);
                Thread.ofVirtual().start(() -> pass(left, right));
                Thread.ofVirtual().start(() -> pass(right, left));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void pass(SSLSocket from, SSLSocket to) {
        byte[] bytes = new byte[4096];
        try (from;
                to) {
            int count = from.getInputStream().read(bytes);
            while (count > 0) {
                passed.addAndGet(count);
                to.getOutputStream().write(bytes, 0, count);
                count = from.getInputStream().read(bytes);
            }
        } catch (IOException over) {
            // One side has ended.
        }
    }
}

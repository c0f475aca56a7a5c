// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The TCP connection over which the two sides tell their addresses. The client speaks first; the server answers when
 * its queue pair is ready; the client confirms. Each text ends with a zero byte, as C writes it, and goes out in one
 * write, since C takes it with one read.
 *
 * <p>Every wait ends after the limit: all of one text must be there by then. One thread.
 */
final class TcpPeer implements AutoCloseable {
    private static final String CONFIRMATION = "done";
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Socket socket;
    private final Duration limit;

    private TcpPeer(Socket socket, Duration limit) throws IOException {
        this.socket = socket;
        this.limit = limit;
        socket.setTcpNoDelay(true);
    }

    /** Connects to a server; while it refuses, tries again until patience ends. */
    static TcpPeer connect(InetSocketAddress server, Duration limit, Duration patience) throws IOException {
        Deadline retries = Deadline.after(patience);
        while (true) {
            try {
                return new TcpPeer(connectOnce(server, limit), limit);
            } catch (ConnectException refused) {
                if (retries.isOver()) {
                    throw new PingPongException(
                            "cannot connect to " + name(server) + ": " + refused.getMessage()
                                    + "; start the server there first",
                            refused);
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /** Waits for one client. */
    static TcpPeer accept(int port, Duration limit) throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            bind(listener, port);
            listener.setSoTimeout(Deadline.after(limit).millis());
            return new TcpPeer(listener.accept(), limit);
        } catch (SocketTimeoutException timeout) {
            throw new PingPongException(
                    "no client came to port " + port + " within " + limit.toSeconds() + " s", timeout);
        }
    }

    InetAddress localAddress() {
        return socket.getLocalAddress();
    }

    void send(ExchangeLine line) throws IOException {
        write(line.format());
    }

    ExchangeLine receive() throws IOException {
        return ExchangeLine.parse(read(ExchangeLine.LENGTH, "its address"));
    }

    void confirm() throws IOException {
        write(CONFIRMATION);
    }

    void awaitConfirmation() throws IOException {
        String text = read(CONFIRMATION.length(), "its confirmation");
        if (!text.equals(CONFIRMATION)) {
            throw new PingPongException("the other side did not confirm the exchange of addresses");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static Socket connectOnce(InetSocketAddress server, Duration limit) throws IOException {
        IOException last = new UnknownHostException("no address");
        for (InetAddress address : addresses(server)) {
            Socket socket = new Socket();
            try {
                socket.connect(
                        new InetSocketAddress(address, server.getPort()),
                        Deadline.after(limit).millis());
                return socket;
            } catch (IOException failure) {
                socket.close();
                last = failure;
            }
        }
        if (last instanceof SocketTimeoutException) {
            throw new PingPongException(name(server) + " did not answer within " + limit.toSeconds() + " s", last);
        }
        throw last;
    }

    private static InetAddress[] addresses(InetSocketAddress server) {
        try {
            return InetAddress.getAllByName(server.getHostString());
        } catch (UnknownHostException unknown) {
            throw new PingPongException("there is no host named " + server.getHostString(), unknown);
        }
    }

    private static void bind(ServerSocket listener, int port) throws IOException {
        try {
            listener.bind(new InetSocketAddress(port), 1);
        } catch (IOException taken) {
            throw new PingPongException("cannot listen on port " + port + ": " + taken.getMessage(), taken);
        }
    }

    private static String name(InetSocketAddress server) {
        return server.getHostString() + " port " + server.getPort();
    }

    private void write(String text) throws IOException {
        socket.getOutputStream().write((text + '\0').getBytes(StandardCharsets.US_ASCII));
    }

    private String read(int length, String what) throws IOException {
        try {
            byte[] bytes = readFully(length + 1);
            return new String(bytes, 0, bytes[length] == 0 ? length : length + 1, StandardCharsets.ISO_8859_1);
        } catch (SocketTimeoutException timeout) {
            throw new PingPongException(
                    "the other side did not send " + what + " within " + limit.toSeconds() + " s", timeout);
        } catch (EOFException end) {
            throw new PingPongException("the other side closed the connection before it had sent " + what, end);
        }
    }

    private byte[] readFully(int length) throws IOException {
        Deadline deadline = Deadline.after(limit);
        InputStream input = socket.getInputStream();
        byte[] bytes = new byte[length];
        int count = 0;
        while (count < length) {
            // Anew for each read, so that a peer that trickles bytes gets no more time.
            if (deadline.isOver()) {
                throw new SocketTimeoutException();
            }
            socket.setSoTimeout(deadline.millis());
            int got = input.read(bytes, count, length - count);
            if (got < 0) {
                throw new EOFException();
            }
            count += got;
        }
        return bytes;
    }
}

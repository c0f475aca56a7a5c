// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.roundtrip;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.HdrHistogram.Histogram;

/** The least that Java can do over TCP. */
final class NioEcho {
    private static final int BUFFER_BYTES = 1 << 20;

    private NioEcho() {}

    /** Echoes. */
    static final class Server implements EchoServer {
        private ServerSocketChannel listener;

        @Override
        public int bind() throws IOException {
            listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return ((InetSocketAddress) listener.getLocalAddress()).getPort();
        }

        @Override
        public void serve() throws IOException {
            try (ServerSocketChannel bound = listener;
                    SocketChannel socket = prepare(bound.accept())) {
                ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
                while (socket.read(buffer) >= 0) {
                    if (buffer.position() > 0) {
                        writeAll(socket, buffer.flip());
                        buffer.clear();
                    }
                }
            }
        }
    }

    /** Asks. */
    static final class Client implements EchoClient {
        @Override
        public Histogram run(int port, RoundTripPlan plan) throws IOException {
            Histogram histogram = new Histogram(3);
            InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (SocketChannel socket = prepare(SocketChannel.open(server))) {
                ByteBuffer buffer = ByteBuffer.allocateDirect(plan.bytes());
                for (int i = 0; i < plan.all(); i++) {
                    long begin = System.nanoTime();
                    writeAll(socket, buffer.clear());
                    buffer.clear();
                    while (buffer.hasRemaining()) {
                        if (socket.read(buffer) < 0) {
                            throw new IOException("the server has ended");
                        }
                    }
                    if (i >= plan.warmUp()) {
                        histogram.recordValue(System.nanoTime() - begin);
                    }
                }
            }
            return histogram;
        }
    }

    private static SocketChannel prepare(SocketChannel socket) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.configureBlocking(false);
        return socket;
    }

    private static void writeAll(SocketChannel socket, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            socket.write(buffer);
        }
    }
}

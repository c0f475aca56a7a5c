// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Stands between two sides, sees their control frames, and may change them: what somebody on the path can do. */
final class FrameRelay implements AutoCloseable {
    static final int HELLO = 1;
    static final int WELCOME = 2;
    static final int READY = 4;
    static final int ATTACH = 5;
    static final int CHALLENGE = 16;
    static final int PROOF = 17;

    private static final int HEADER_BYTES = 16;
    private static final int CODE_BYTES = 32;

    final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final InetSocketAddress target;
    private final Editor editor;

    /** A frame that went by, with the code behind it if there is one. */
    record Seen(boolean fromConnecting, int type, byte[] bytes) {}

    /** Says what goes on instead of a frame. */
    interface Editor {
        List<byte[]> edit(Seen frame);
    }

    FrameRelay(InetSocketAddress target, Editor editor) throws IOException {
        this.target = target;
        this.editor = editor;
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** The first frame of a type that the connecting side has sent. */
    Seen first(int type) {
        return seen.stream()
                .filter(frame -> frame.fromConnecting && frame.type == type)
                .findFirst()
                .orElseThrow();
    }

    private void accept() {
        try {
            while (true) {
                Socket left = server.accept();
                Socket right = new Socket(target.getAddress(), target.getPort());
                sockets.add(left);
                sockets.add(right);
                Thread.ofVirtual().start(() -> pump(left, right, true));
                Thread.ofVirtual().start(() -> pump(right, left, false));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void pump(Socket from, Socket to, boolean fromConnecting) {
        try {
            relayFrames(new DataInputStream(from.getInputStream()), to.getOutputStream(), fromConnecting);
            to.shutdownOutput();
        } catch (IOException over) {
            closeQuietly(to);
        }
    }

    private void relayFrames(DataInputStream input, OutputStream output, boolean fromConnecting) throws IOException {
        boolean codes = false;
        while (true) {
            byte[] header = input.readNBytes(HEADER_BYTES);
            if (header.length < HEADER_BYTES || ByteBuffer.wrap(header).getInt() != 0x52444348) {
                // The data path, or the end.
                output.write(header);
                input.transferTo(output);
                return;
            }
            int type = ByteBuffer.wrap(header).getShort(6);
            byte[] rest = input.readNBytes(ByteBuffer.wrap(header).getInt(8) + (codes ? CODE_BYTES : 0));
            Seen frame = new Seen(fromConnecting, type, concatenated(header, rest));
            seen.add(frame);
            for (byte[] bytes : editor.edit(frame)) {
                output.write(bytes);
            }
            codes |= type == PROOF;
        }
    }

    private static byte[] concatenated(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    private static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception ignored) {
            // It is over in any case.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        sockets.forEach(FrameRelay::closeQuietly);
    }
}

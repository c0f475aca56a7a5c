// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.channel.core.Hmac;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.crypto.Mac;

/** A peer that says what the test wants, byte by byte. */
final class RawPeer implements AutoCloseable {
    private final Socket socket = new Socket();

    RawPeer(InetSocketAddress address) throws IOException {
        this(address, InetAddress.getLoopbackAddress());
    }

    /** A peer with an address of its own; on Linux all of 127.0.0.0/8 are the machine's. */
    RawPeer(InetSocketAddress address, InetAddress own) throws IOException {
        socket.bind(new InetSocketAddress(own, 0));
        socket.connect(address, 5_000);
        socket.setSoTimeout(20_000);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void send(ControlFrame.Type type, Fields fields) throws IOException {
        send(new ControlFrame(type, fields.encode()).encode());
    }

    /** The next frame; null at the end. */
    ControlFrame receive() throws IOException {
        return ControlFrame.read(socket.getInputStream());
    }

    /** What the listener says before it closes the connection. */
    String refusal() throws IOException {
        ControlFrame frame = receive();
        if (frame == null || frame.type() != ControlFrame.Type.REFUSE) {
            throw new AssertionError("no refusal but " + frame);
        }
        if (receive() != null) {
            throw new AssertionError("the connection goes on after a refusal");
        }
        return Fields.decode(frame.payload()).text(Fields.Tag.REASON);
    }

    /** A greeting that a listener accepts. */
    static Fields hello(int transports) {
        byte[] session = new byte[16];
        Arrays.fill(session, (byte) 5);
        return new Fields()
                .put(Fields.Tag.SESSION, session)
                .put(Fields.Tag.EPOCH, 8, 0)
                .put(Fields.Tag.TRANSPORTS, 1, transports)
                .put(Fields.Tag.RECEIVE_BYTES, 4, 8192)
                .put(Fields.Tag.RECEIVE_DEPTH, 4, 128)
                .put(Fields.Tag.MAX_MESSAGE_BYTES, 8, 1 << 20);
    }

    /** What belongs into the first frame of a second connection: the proof as docs/protocol.md tells it. */
    static Fields attach(Fields welcome) {
        byte[] session = welcome.bytes(Fields.Tag.SESSION, 16);
        Mac mac = Hmac.keyed(welcome.bytes(Fields.Tag.ATTACH_SECRET, 16));
        mac.update("rdma-channel 1 attach\0".getBytes(StandardCharsets.US_ASCII));
        return new Fields().put(Fields.Tag.SESSION, session).put(Fields.Tag.PROOF, mac.doFinal(session));
    }

    /** A frame's bytes with another version. */
    static byte[] ofVersion(int major, int minor, ControlFrame.Type type, Fields fields) {
        byte[] bytes = new ControlFrame(type, fields.encode()).encode();
        ByteBuffer.wrap(bytes).put(4, (byte) major).put(5, (byte) minor);
        return bytes;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

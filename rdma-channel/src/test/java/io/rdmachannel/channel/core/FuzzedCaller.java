// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/** One connection to a listener, over which a fuzzer says what it wants. */
final class FuzzedCaller {
    private final SocketChannel socket;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
    private byte[] received = {};
    private byte[] session;
    private boolean toldSomethingElse;
    private boolean halfClosed;
    private boolean over;

    FuzzedCaller(InetSocketAddress listener) throws IOException {
        socket = SocketChannel.open(listener);
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** What names the channel that it wants; null when it has not asked for one. */
    byte[] session() {
        return session;
    }

    void hello(int number, int transports, byte[] more) {
        byte[] name = new byte[Session.BYTES];
        Arrays.fill(name, (byte) number);
        Fields fields = new Fields()
                .put(Tag.SESSION, name)
                .put(Tag.TRANSPORTS, 1, transports)
                .put(Tag.RECEIVE_BYTES, 4, 256)
                .put(Tag.RECEIVE_DEPTH, 4, 16)
                .put(Tag.MAX_MESSAGE_BYTES, 8, 4096);
        byte[] payload = fields.encode();
        byte[] whole = Arrays.copyOf(payload, payload.length + more.length);
        System.arraycopy(more, 0, whole, payload.length, more.length);
        session = !toldSomethingElse && more.length == 0 && transports == Offer.TCP_BIT ? name : null;
        send(new ControlFrame(ControlFrame.Type.HELLO, whole).encode());
    }

    void frame(ControlFrame.Type type, byte[] payload) {
        send(new ControlFrame(type, payload).encode());
    }

    /** Sends what fits: whoever sends more than is read must wait, and a fuzzer does not. */
    void send(byte[] bytes) {
        toldSomethingElse = true;
        try {
            if (!over && !halfClosed) {
                socket.write(ByteBuffer.wrap(bytes));
            }
        } catch (IOException gone) {
            over = true;
        }
    }

    /** Sends nothing more. */
    void endOutput() {
        try {
            if (!over && !halfClosed) {
                halfClosed = true;
                socket.shutdownOutput();
            }
        } catch (IOException gone) {
            over = true;
        }
    }

    /** Closes; with a reset, if that is wanted. */
    void close(boolean reset) throws IOException {
        if (reset && socket.isOpen()) {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        over = true;
        socket.close();
    }

    /** Reads what is there. */
    void receive() {
        try {
            int count = over ? 0 : socket.read(buffer.clear());
            if (count > 0) {
                int before = received.length;
                received = Arrays.copyOf(received, before + count);
                buffer.get(0, received, before, count);
            }
            over |= count < 0;
        } catch (IOException reset) {
            over = true;
        }
    }

    /** Whether the listener has closed the connection, too. */
    boolean isOver() {
        return over;
    }

    /** The first frame that the listener sent; null when it is not there. */
    ControlFrame answer() throws IOException {
        try {
            return ControlFrame.read(new ByteArrayInputStream(received));
        } catch (EOFException early) {
            return null;
        } catch (ProtocolException data) {
            // It is the second connection of a channel.
            return null;
        }
    }

    /** What makes a second connection believed; null when none was told. */
    byte[] secret() throws IOException {
        ControlFrame answer = answer();
        return answer != null && answer.type() == ControlFrame.Type.WELCOME
                ? Fields.decode(answer.payload()).bytes(Tag.ATTACH_SECRET, Session.BYTES)
                : null;
    }
}

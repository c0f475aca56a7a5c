// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.protocol.ControlFrame;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLSocket;

/**
 * The bytes of a control connection: as they are, inside TLS, with codes behind frames, or both. What protects them is
 * set during the handshake, by its thread. One thread at a time reads; any thread writes.
 */
final class ControlStream {
    /** How long a refusal may follow the deadline of what is refused. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final SocketChannel channel;
    private final PushbackInputStream plain;
    /** Null when there is no TLS. */
    private SSLSocket tls;

    private Socket socket;
    private InputStream input;
    private OutputStream output;
    private FrameCodes incoming;
    private FrameCodes outgoing;
    private byte[] attachKey = {};

    ControlStream(SocketChannel channel) throws IOException {
        this.channel = channel;
        this.socket = channel.socket();
        this.plain = new PushbackInputStream(socket.getInputStream());
        this.input = plain;
        this.output = socket.getOutputStream();
    }

    /**
     * Looks at the next byte, before there is TLS.
     *
     * @return the byte, or -1 at the end of the connection
     * @throws java.net.SocketTimeoutException at the deadline
     */
    int first(Deadline deadline) throws IOException {
        int first = new DeadlineStream(socket, plain, deadline).read();
        if (first >= 0) {
            plain.unread(first);
        }
        return first;
    }

    /** Takes the byte that was looked at. */
    int takeFirst() throws IOException {
        return plain.read();
    }

    /** From now on everything goes through a socket over this one's. */
    synchronized void secure(SSLSocket over) throws IOException {
        tls = over;
        socket = over;
        input = over.getInputStream();
        output = over.getOutputStream();
    }

    boolean isSecure() {
        return tls != null;
    }

    /**
     * What only the two ends of the TLS connection know.
     *
     * @return empty without TLS
     * @throws io.rdmachannel.channel.ChannelException (NOT_AUTHENTICATED) if it cannot be told
     */
    byte[] tlsBinding() {
        return isSecure() ? TlsBinding.of(tls) : new byte[0];
    }

    /** From now on every frame carries a code, in both directions. */
    synchronized void protect(SessionKeys keys, Side own) {
        outgoing = keys.frames(own);
        incoming = keys.frames(own.other());
        attachKey = keys.attachKey();
    }

    /** What second connections are proven with, beside what the accepting side tells; empty without authentication. */
    byte[] attachKey() {
        return attachKey;
    }

    /** Synchronized, since codes count frames in the order in which they leave. */
    synchronized void write(ControlFrame frame) throws IOException {
        byte[] bytes = frame.encode();
        output.write(outgoing == null ? bytes : outgoing.append(bytes));
    }

    /**
     * Reads a frame, for as long as something comes now and then.
     *
     * @param silenceMillis how long nothing may come, 0 for ever
     * @return null at the end of the connection
     * @throws java.net.SocketTimeoutException if nothing came for so long
     */
    ControlFrame read(int silenceMillis) throws IOException {
        socket.setSoTimeout(silenceMillis);
        return read(input);
    }

    /**
     * Reads a frame.
     *
     * @return null at the end of the connection
     * @throws java.net.SocketTimeoutException at the deadline
     */
    ControlFrame read(Deadline deadline) throws IOException {
        InputStream bytes = new DeadlineStream(socket, input, deadline);
        return isSecure() ? readCutting(bytes, deadline) : read(bytes);
    }

    /**
     * Ends this side's direction, and reads what the peer still says, until it ends; closes at the deadline.
     *
     * @param reader completes when no other thread reads any more
     */
    void end(Deadline deadline, CompletableFuture<Void> reader) throws IOException {
        CutOff limit = CutOff.at(deadline, channel);
        try {
            if (isSecure()) {
                tls.shutdownOutput();
            }
            channel.shutdownOutput();
            if (hasEnded(reader, deadline)) {
                drain(deadline);
            }
        } finally {
            limit.callOff();
        }
    }

    private static boolean hasEnded(CompletableFuture<Void> reader, Deadline deadline) {
        try {
            reader.get(Math.max(1, deadline.left().toNanos()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException impossible) {
            throw new AssertionError("it only ends", impossible);
        }
    }

    /** A close with bytes unread would be a reset, which may overtake the last words. */
    private void drain(Deadline deadline) throws IOException {
        DeadlineStream rest = new DeadlineStream(socket, input, deadline);
        byte[] dropped = new byte[1024];
        int count;
        do {
            count = rest.read(dropped, 0, dropped.length);
        } while (count >= 0);
    }

    /** TLS reads on until it has a record, each time with a new time limit. */
    private ControlFrame readCutting(InputStream bytes, Deadline deadline) throws IOException {
        CutOff limit = CutOff.at(Deadline.after(deadline.left().plus(LAST_WORDS)), channel);
        try {
            return read(bytes);
        } catch (IOException cut) {
            throw deadline.isOver() ? new SocketTimeoutException("the deadline has passed") : cut;
        } finally {
            limit.callOff();
        }
    }

    private ControlFrame read(InputStream bytes) throws IOException {
        return incoming == null ? ControlFrame.read(bytes) : incoming.read(bytes);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Second connections that handshakes of a listener wait for. Any thread. */
final class Attachments {
    private static final Logger LOGGER = LoggerFactory.getLogger(Attachments.class);

    private final Map<String, Expected> expected = new ConcurrentHashMap<>();

    /** One handshake that may wait for a connection. */
    private record Expected(byte[] proof, CompletableFuture<SocketChannel> socket) {}

    /**
     * From now on a connection of this session is accepted.
     *
     * @param proof what it has to show, see {@link AttachProof}
     * @throws ProtocolException if another handshake has that session
     */
    void expect(byte[] session, byte[] proof) {
        Expected before = expected.putIfAbsent(Session.name(session), new Expected(proof, new CompletableFuture<>()));
        if (before != null) {
            throw new ProtocolException("its session is in use already");
        }
    }

    /**
     * Nobody waits any more; a connection that came too late is closed. When the connection was taken, the session may
     * be another handshake's by now, which the proof tells.
     */
    void forget(byte[] session, byte[] proof) {
        String name = Session.name(session);
        Expected waiting = expected.get(name);
        if (waiting == null || !Hmac.isSame(waiting.proof, proof)) {
            return;
        }
        expected.remove(name);
        if (!waiting.socket.cancel(false)) {
            try {
                waiting.socket.getNow(null).close();
            } catch (IOException unlikely) {
                LOGGER.debug("closing a connection that came too late", unlikely);
            }
        }
    }

    /**
     * A connection says which session it belongs to.
     *
     * @throws ProtocolException if nobody waits for it, or its proof is wrong
     */
    void arrived(SocketChannel socket, Fields attach) {
        Expected waiting = expected.get(Session.name(attach.bytes(Tag.SESSION, Session.BYTES)));
        byte[] proof = attach.bytes(Tag.PROOF, Hmac.BYTES);
        if (waiting == null || !Hmac.isSame(waiting.proof, proof) || !waiting.socket.complete(socket)) {
            throw new ProtocolException("nobody expects its second connection");
        }
    }

    SocketChannel await(byte[] session, Deadline deadline) {
        try {
            String name = Session.name(session);
            SocketChannel socket =
                    expected.get(name).socket.get(Math.max(1, deadline.left().toNanos()), TimeUnit.NANOSECONDS);
            expected.remove(name);
            return socket;
        } catch (TimeoutException late) {
            throw new ChannelException(
                    Reason.TIMEOUT, "the peer's second connection has not come within handshakeTimeout", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ChannelException(Reason.CLOSED, "the handshake was interrupted", interrupted);
        } catch (ExecutionException impossible) {
            throw new AssertionError("only completed with a socket", impossible);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.TlsConfig;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** Puts TLS over a control connection, in a thread that may block, until the deadline of its handshake. */
final class TlsNegotiation {
    /** What each connection by TLS begins with, and none without. */
    static final int FIRST_BYTE = 22;

    private final ControlConnection control;
    private final TlsConfig config;
    private final Deadline deadline;

    TlsNegotiation(ControlConnection control, TlsConfig config, Deadline deadline) {
        this.control = control;
        this.config = config;
        this.deadline = deadline;
    }

    /**
     * The connecting side's part.
     *
     * @param address where it wanted to go: the certificate must be made out to that
     * @throws ChannelException if there is no TLS in which both sides trust, or not in time
     * @throws IOException if the connection broke
     */
    void connect(InetSocketAddress address) throws IOException {
        Socket plain = control.socket().socket();
        SSLSocket socket = (SSLSocket) config.context()
                .getSocketFactory()
                .createSocket(plain, address.getHostString(), address.getPort(), false);
        socket.setUseClientMode(true);
        socket.setSSLParameters(config.connectingParameters());
        negotiate(socket);
    }

    /** The accepting side's part; throws as the other one does. The first byte has been looked at. */
    void accept() throws IOException {
        Socket plain = control.socket().socket();
        byte[] seen = {(byte) control.stream().takeFirst()};
        SSLSocket socket = (SSLSocket)
                config.context().getSocketFactory().createSocket(plain, new ByteArrayInputStream(seen), false);
        socket.setSSLParameters(config.acceptingParameters());
        negotiate(socket);
    }

    private void negotiate(SSLSocket socket) throws IOException {
        try {
            negotiateInTime(socket);
        } catch (SSLException failed) {
            throw explained(failed);
        }
    }

    private void negotiateInTime(SSLSocket socket) throws IOException {
        SocketChannel channel = control.socket();
        CutOff limit = CutOff.at(deadline, channel);
        try {
            socket.setSoTimeout(deadline.millisLeft());
            socket.startHandshake();
            control.stream().secure(socket);
        } catch (IOException failed) {
            if (deadline.isOver() || failed instanceof SocketTimeoutException) {
                // A refusal could not be read by a peer that is in the middle of TLS.
                control.close();
                throw control.late(failed);
            }
            throw failed;
        } finally {
            limit.callOff();
        }
    }

    /** A connection that just ends says nothing of trust, and is worth another attempt. */
    private ChannelException explained(SSLException failed) {
        if (failed.getCause() instanceof EOFException) {
            return new ChannelException(
                    Reason.PEER_GONE,
                    "the peer at " + control.peer() + " closed the connection while TLS was negotiated: too many"
                            + " handshakes are going on there, or it is no channel listener",
                    failed);
        }
        return control.distrusted(failed);
    }
}

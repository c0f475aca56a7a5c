// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * What only the two ends of one TLS connection know (RFC 9266): made part of what a shared secret proves, it shows that
 * nobody sits between two TLS connections and passes the proofs on.
 */
final class TlsBinding {
    private static final String LABEL = "EXPORTER-Channel-Binding";
    private static final int BYTES = 32;

    private TlsBinding() {}

    /**
     * Asks a connection for it.
     *
     * @throws ChannelException (NOT_AUTHENTICATED) if it cannot tell
     */
    static byte[] of(SSLSocket socket) {
        SSLSession session = socket.getSession();
        try {
            if (session instanceof ExtendedSSLSession known) {
                return known.exportKeyingMaterialData(LABEL, new byte[0], BYTES);
            }
            throw impossible(session, null);
        } catch (SSLKeyException | UnsupportedOperationException refused) {
            throw impossible(session, refused);
        }
    }

    private static ChannelException impossible(SSLSession session, Exception cause) {
        return new ChannelException(
                Reason.NOT_AUTHENTICATED,
                "sharedSecret cannot be bound to " + session.getProtocol() + ", since this TLS exports no keying"
                        + " material: use the JDK's own TLS provider and TLS 1.3, or only one of sharedSecret and tls",
                cause);
    }
}

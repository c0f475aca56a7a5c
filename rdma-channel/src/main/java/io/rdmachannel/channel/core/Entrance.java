// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.SharedSecret;
import io.rdmachannel.channel.TlsConfig;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.ControlFrame.Type;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/** What two sides show each other before the first word of a handshake counts: TLS first, then the shared secret. */
final class Entrance {
    private Entrance() {}

    /**
     * The connecting side's part. Afterwards the connection is what the configuration asks for, and the peer has shown
     * that it may take part.
     *
     * @param address where this side wanted to go
     * @throws ChannelException if the peer may not take part, or refuses; the connection is of no use then
     * @throws IOException if the connection broke
     */
    static void enter(ControlConnection control, ChannelConfig config, InetSocketAddress address, Deadline deadline)
            throws IOException {
        try {
            Optional<TlsConfig> tls = config.tls();
            if (tls.isPresent()) {
                new TlsNegotiation(control, tls.get(), deadline).connect(address);
            }
            Optional<SharedSecret> secret = config.sharedSecret();
            if (secret.isPresent()) {
                new Authentication(control, secret.get(), deadline).connect();
            }
        } catch (ProtocolException wrong) {
            control.refuse(Reason.PROTOCOL, wrong.getMessage());
            throw new ChannelException(Reason.PROTOCOL, "the peer at " + control.peer() + ": " + wrong.getMessage());
        } catch (ChannelException stranger) {
            if (stranger.reason() == Reason.NOT_AUTHENTICATED) {
                control.refuse(stranger.reason(), Authentication.REFUSAL);
            }
            throw stranger;
        }
    }

    /**
     * The accepting side's part.
     *
     * @return the first frame of a peer that has shown all it had to; null if the connection ended before
     * @throws ChannelException if the peer may not take part
     * @throws ProtocolException if it does not keep to the protocol
     * @throws IOException if the connection broke
     */
    static ControlFrame admit(ControlConnection control, ChannelConfig config, Deadline deadline) throws IOException {
        secure(control, config, deadline);
        boolean secure = control.stream().isSecure();
        ControlFrame first = control.receive(deadline);
        // A second connection has a proof of its own, and goes on with the data path.
        if (first == null || !secure && first.type() == Type.ATTACH) {
            return first;
        }
        if (config.tls().isPresent() && !secure) {
            throw new ChannelException(
                    Reason.NOT_AUTHENTICATED, "control connections are taken by TLS only here; configure tls");
        }
        ControlFrame greeting = authenticated(control, config, first, deadline);
        if (greeting != null && greeting.type() == Type.ATTACH) {
            throw new ProtocolException("its ATTACH is protected, which the data path behind it cannot be");
        }
        return greeting;
    }

    /** Both kinds of connection come to one port; the first byte tells which it is. */
    private static void secure(ControlConnection control, ChannelConfig config, Deadline deadline) throws IOException {
        if (control.first(deadline) == TlsNegotiation.FIRST_BYTE) {
            TlsConfig tls = config.tls()
                    .orElseThrow(() -> new ChannelException(
                            Reason.NOT_AUTHENTICATED, "it begins with TLS, and tls is not configured here"));
            new TlsNegotiation(control, tls, deadline).accept();
        }
    }

    private static ControlFrame authenticated(
            ControlConnection control, ChannelConfig config, ControlFrame first, Deadline deadline) throws IOException {
        Optional<SharedSecret> secret = config.sharedSecret();
        if (secret.isEmpty() && first.type() != Type.CHALLENGE) {
            return first;
        }
        if (secret.isEmpty() || first.type() != Type.CHALLENGE) {
            throw new ChannelException(Reason.NOT_AUTHENTICATED, Authentication.REFUSAL);
        }
        new Authentication(control, secret.get(), deadline).accept(Fields.decode(first.payload()));
        return control.receive(deadline);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor;

import java.util.Objects;

/**
 * A host to be reached, not resolved yet.
 *
 * @param host a name or an address
 * @param port a TCP port, 1 to 65535; 0 for none
 */
public record Peer(String host, int port) {
    private static final int LAST_PORT = 65535;

    /** Checks the values. */
    public Peer {
        Objects.requireNonNull(host, "host");
        if (host.isEmpty() || port < 0 || port > LAST_PORT) {
            throw new IllegalArgumentException("'" + host + "' and port " + port + " name no peer");
        }
    }

    /**
     * Reads a peer.
     *
     * @param text {@code HOST}, {@code HOST:PORT}, {@code [IPV6]:PORT}, or an IPv6 address without port
     * @return the peer
     * @throws IllegalArgumentException for any other text, with the forms
     */
    public static Peer parse(String text) {
        try {
            int colon = text.lastIndexOf(':');
            if (text.startsWith("[")) {
                int end = text.indexOf(']');
                return new Peer(text.substring(1, end), end + 1 == text.length() ? 0 : port(text.substring(end + 2)));
            }
            boolean bare = colon < 0 || text.indexOf(':') != colon;
            return bare ? new Peer(text, 0) : new Peer(text.substring(0, colon), port(text.substring(colon + 1)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no peer: write HOST, HOST:PORT or [IPV6]:PORT, with a port from 1 to 65535",
                    wrong);
        }
    }

    private static int port(String text) {
        int port = Integer.parseInt(text);
        if (port < 1) {
            throw new IllegalArgumentException("port " + port);
        }
        return port;
    }

    @Override
    public String toString() {
        return host + (port == 0 ? "" : ":" + port);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.roundtrip;

import java.util.function.Supplier;

/** What is compared. */
enum Contestant {
    /** Two non-blocking sockets that are read until something comes. */
    NIO(NioEcho.Server::new, NioEcho.Client::new),
    /** A channel over the tcp transport, busy-polling. */
    CHANNEL(ChannelEcho.Server::new, ChannelEcho.Client::new),
    /** Netty on epoll, as it is configured by default. */
    NETTY(NettyEcho.Server::new, NettyEcho.Client::new);

    private final Supplier<EchoServer> server;
    private final Supplier<EchoClient> client;

    Contestant(Supplier<EchoServer> server, Supplier<EchoClient> client) {
        this.server = server;
        this.client = client;
    }

    EchoServer server() {
        return server.get();
    }

    EchoClient client() {
        return client.get();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One run, from opening the device to closing it. One thread. */
final class PingPong {
    /** The other side may send its last message again when the acknowledgement is lost: twice C's time for that. */
    private static final long LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private final Options options;
    private final PrintStream out;
    private final PrintStream notes;

    PingPong(Options options, PrintStream out, PrintStream notes) {
        this.options = options;
        this.out = out;
        this.notes = notes;
    }

    void run() throws IOException {
        try (Endpoint endpoint = Endpoint.open(options)) {
            // Posts the receives: before the other side can send, and so before READY_TO_RECEIVE.
            PingPongLoop loop = new PingPongLoop(endpoint, options);
            connect(new Connector(endpoint, options, notes));
            Report report = loop.run();
            if (report.lastUnacknowledged()) {
                notes.println("note: the other side left before it acknowledged the last message");
            }
            report.print(out);
            LockSupport.parkNanos(LINGER_NANOS);
        }
    }

    private void connect(Connector connector) throws IOException {
        if (options.isClient()) {
            InetSocketAddress server = InetSocketAddress.createUnresolved(options.host(), options.tcpPort());
            try (TcpPeer peer = TcpPeer.connect(server, options.limit(), options.patience())) {
                connectAsClient(connector, peer);
            }
        } else {
            try (TcpPeer peer = TcpPeer.accept(options.tcpPort(), options.limit())) {
                connectAsServer(connector, peer);
            }
        }
    }

    private void connectAsClient(Connector connector, TcpPeer peer) throws IOException {
        LocalAddress local = tellLocal(connector, peer);
        peer.send(local.line());
        ExchangeLine remote = tellRemote(peer.receive());
        connector.connect(local, remote);
        peer.confirm();
    }

    /** The server answers when its queue pair is ready, since the client's first message comes right after. */
    private void connectAsServer(Connector connector, TcpPeer peer) throws IOException {
        LocalAddress local = tellLocal(connector, peer);
        ExchangeLine remote = tellRemote(peer.receive());
        connector.connect(local, remote);
        peer.send(local.line());
        peer.awaitConfirmation();
    }

    private LocalAddress tellLocal(Connector connector, TcpPeer peer) {
        LocalAddress local = connector.localAddress(peer.localAddress());
        out.println("  local address:  " + local.line().describe());
        return local;
    }

    private ExchangeLine tellRemote(ExchangeLine remote) {
        out.println("  remote address: " + remote.describe());
        return remote;
    }
}

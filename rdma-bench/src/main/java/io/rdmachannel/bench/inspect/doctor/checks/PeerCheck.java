// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.inspect.doctor.checks;

import io.rdmachannel.bench.inspect.doctor.Check;
import io.rdmachannel.bench.inspect.doctor.Environment;
import io.rdmachannel.bench.inspect.doctor.Finding;
import io.rdmachannel.bench.inspect.doctor.Peer;
import io.rdmachannel.bench.inspect.doctor.Remedy;
import io.rdmachannel.bench.inspect.doctor.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** Whether the peer's TCP port answers, over which channels shake hands. Sends nothing. */
final class PeerCheck implements Check {
    private static final int LIMIT_MILLIS = 3000;

    @Override
    public String name() {
        return "peer";
    }

    @Override
    public Finding run(Environment environment) throws IOException {
        if (environment.request().peer().filter(peer -> peer.port() != 0).isEmpty()) {
            return Finding.of(Status.NOT_APPLICABLE, "give --peer HOST:PORT to see whether a peer's port answers");
        }
        Peer peer = environment.request().peer().get();
        InetSocketAddress address = new InetSocketAddress(peer.host(), peer.port());
        if (address.isUnresolved()) {
            return Finding.of(Status.PROBLEM, peer.host() + " cannot be resolved");
        }
        try (Socket socket = new Socket()) {
            if (environment.request().address().isPresent()) {
                socket.bind(
                        new InetSocketAddress(environment.request().address().get(), 0));
            }
            socket.connect(address, LIMIT_MILLIS);
            return Finding.of(Status.OK, peer + " accepts TCP connections");
        } catch (SocketTimeoutException silent) {
            return Finding.of(
                    Status.PROBLEM,
                    peer + " did not answer within " + LIMIT_MILLIS / 1000
                            + " s: a firewall drops, or the host is gone",
                    new Remedy(
                            "on the peer, allow the port",
                            "nft add rule inet filter input tcp dport " + peer.port() + " accept"),
                    new Remedy("with firewalld", "firewall-cmd --add-port=" + peer.port() + "/tcp"));
        } catch (ConnectException refused) {
            return Finding.of(
                    Status.PROBLEM,
                    peer + ": " + refused.getMessage(),
                    new Remedy("see on the peer whether anything listens there", "ss -tln sport = :" + peer.port()));
        }
    }
}

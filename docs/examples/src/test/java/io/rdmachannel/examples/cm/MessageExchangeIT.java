// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.ConnectionManagerTest;
import io.rdmachannel.testing.Shell;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@ConnectionManagerTest
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MessageExchangeIT {
    private static final String PORT = String.valueOf(MessageExchange.PORT);

    @Test
    void shouldExchangeWithTheServerOfRdmaCore() {
        String address = Peers.ipv4();
        CompletableFuture<Shell.Result> server = Peers.start("rdma_server", "-s", address, "-p", PORT);
        Peers.awaitListener(MessageExchange.PORT);

        assertThat(RdmaClient.run(new String[] {"-s", address, "-p", PORT})).isEqualTo(Launcher.SUCCESS);
        assertThat(Peers.end(server)).isEqualTo(new Shell.Result(0, "rdma_server: start\nrdma_server: end 0\n"));
    }

    @Test
    void shouldExchangeWithTheClientOfRdmaCore() {
        String address = Peers.ipv4();
        CompletableFuture<Integer> server = serve(address);

        Shell.Result client = Peers.end(Peers.start("rdma_client", "-s", address, "-p", PORT));

        assertThat(client).isEqualTo(new Shell.Result(0, "rdma_client: start\nrdma_client: end 0\n"));
        assertThat(Peers.end(server)).isEqualTo(Launcher.SUCCESS);
    }

    @Test
    void shouldExchangeWithItself() {
        String address = Peers.ipv4();
        CompletableFuture<Integer> server = serve(address);

        assertThat(RdmaClient.run(new String[] {"-s", address})).isEqualTo(Launcher.SUCCESS);
        assertThat(Peers.end(server)).isEqualTo(Launcher.SUCCESS);
    }

    private static CompletableFuture<Integer> serve(String address) {
        CompletableFuture<Integer> server =
                Peers.run("server", () -> RdmaServer.run(new String[] {"-s", address, "-p", PORT}));
        Peers.awaitListener(MessageExchange.PORT);
        return server;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.ConnectionManagerTest;
import io.rdmachannel.testing.Shell;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ConnectionManagerTest
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RpingIT {
    private static final String PORT = "7174";

    @ParameterizedTest
    @CsvSource({"64, 20", "1023, 5", "1025, 5", "65000, 3"})
    void shouldPingTheServerOfRdmaCore(String size, String count) {
        String address = Peers.ipv4();
        CompletableFuture<Shell.Result> server =
                Peers.start("rping", "-s", "-v", "-a", address, "-p", PORT, "-S", size);
        Peers.awaitListener(Integer.parseInt(PORT));

        int status = Rping.run(client(address, size, count));

        assertThat(status).isEqualTo(Launcher.SUCCESS);
        assertThat(Peers.end(server).output()).contains("server ping data: rdma-ping-" + last(count) + ": ");
    }

    @ParameterizedTest
    @CsvSource({"64, 20", "1023, 5", "1025, 5", "65000, 3"})
    void shouldServeTheClientOfRdmaCore(String size, String count) {
        String address = Peers.ipv4();
        CompletableFuture<Integer> server = serve(address);

        Shell.Result client =
                Peers.end(Peers.start("rping", "-c", "-v", "-V", "-a", address, "-p", PORT, "-S", size, "-C", count));

        assertThat(client.output())
                .contains("ping data: rdma-ping-" + last(count) + ": ")
                .doesNotContain("mismatch");
        assertThat(client.status()).isZero();
        assertThat(Peers.end(server)).isEqualTo(Launcher.SUCCESS);
    }

    @Test
    void shouldServeAClientOfRdmaCoreThatMakesItsOwnQueuePair() {
        String address = Peers.ipv4();
        CompletableFuture<Integer> server = serve(address);

        Shell.Result client = Peers.end(Peers.start("rping", "-c", "-q", "-V", "-a", address, "-p", PORT, "-C", "3"));

        assertThat(client.output()).doesNotContain("mismatch");
        assertThat(Peers.end(server)).isEqualTo(Launcher.SUCCESS);
    }

    @Test
    void shouldPingTheServerOfRdmaCoreOverIpv6() {
        String address = Peers.ipv6();
        CompletableFuture<Shell.Result> server = Peers.start("rping", "-s", "-v", "-a", address, "-p", PORT);
        Peers.awaitListener(Integer.parseInt(PORT));

        assertThat(Rping.run(client(address, "64", "3"))).isEqualTo(Launcher.SUCCESS);
        assertThat(Peers.end(server).output()).contains("rdma-ping-2: ");
    }

    @Test
    void shouldPingItself() {
        String address = Peers.ipv4();
        CompletableFuture<Integer> server = serve(address);

        assertThat(Rping.run(client(address, "4096", "10"))).isEqualTo(Launcher.SUCCESS);
        assertThat(Peers.end(server)).isEqualTo(Launcher.SUCCESS);
    }

    @Test
    void shouldFailWhenNobodyListens() {
        assertThat(Rping.run(client(Peers.ipv4(), "64", "1"))).isEqualTo(Launcher.FAILURE);
    }

    @Test
    void shouldFailWhenNobodyConnectsInTime() {
        assertThat(Rping.run(new String[] {"-s", "-a", Peers.ipv4(), "-p", PORT, "-t", "1"}))
                .isEqualTo(Launcher.FAILURE);
    }

    @Test
    void shouldRefuseAPingThatIsLargerThanItTakes() {
        String address = Peers.ipv4();
        CompletableFuture<Integer> server =
                Peers.run("server", () -> Rping.run(new String[] {"-s", "-a", address, "-p", PORT, "-S", "64"}));
        Peers.awaitListener(Integer.parseInt(PORT));

        assertThat(Rping.run(client(address, "65", "1"))).isEqualTo(Launcher.FAILURE);
        assertThat(Peers.end(server)).isEqualTo(Launcher.FAILURE);
    }

    private static CompletableFuture<Integer> serve(String address) {
        CompletableFuture<Integer> server =
                Peers.run("server", () -> Rping.run(new String[] {"-s", "-a", address, "-p", PORT}));
        Peers.awaitListener(Integer.parseInt(PORT));
        return server;
    }

    private static String[] client(String address, String size, String count) {
        return new String[] {"-c", "-V", "-a", address, "-p", PORT, "-S", size, "-C", count};
    }

    private static int last(String count) {
        return Integer.parseInt(count) - 1;
    }
}

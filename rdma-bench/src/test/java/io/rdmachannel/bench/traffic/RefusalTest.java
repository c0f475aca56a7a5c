// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.bench.tool.RunningServer;
import io.rdmachannel.bench.tool.ToolRun;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the tool says when it cannot do what was asked. */
@Timeout(120)
class RefusalTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void shouldSayHowToStartAServerWhereNobodyListens() throws IOException {
        String port = freePort();

        ToolRun run = ToolRun.of("client", "127.0.0.1", "send-lat", "--port", port, "--timeout", "1");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("nobody answers at 127.0.0.1 port " + port, "rdma-bench server --port " + port);
    }

    @Test
    void shouldSayThatSomethingElseListens() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answerAsHttp(other));
            String port = String.valueOf(other.getLocalPort());

            ToolRun run = ToolRun.of("client", "127.0.0.1", "send-lat", "--port", port, "--timeout", "5");

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err()).contains("is no rdma-bench server");
        }
    }

    @Test
    void shouldSayThatAHostDoesNotExist() {
        ToolRun run = ToolRun.of("client", "no-such-host.invalid", "send-lat");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("there is no host 'no-such-host.invalid'");
    }

    @Test
    void shouldSendToTheDoctorWhereRdmaIsMissing() {
        ToolRun run = ToolRun.of("client", "127.0.0.1", "send-lat", "--transport", "rdma", "--ib-dev", "no_such_0");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("RDMA cannot be used on this machine", "rdma-bench doctor", "--transport tcp");
    }

    @Test
    void shouldNotStartAServerWithoutTheRequiredDevice() {
        ToolRun run = ToolRun.of("server", "--port", "0", "--transport", "rdma", "--ib-dev", "no_such_0");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("RDMA cannot be used on this machine");
    }

    @Test
    void shouldNotStartAServerAtAForeignAddressOrATakenPort() throws IOException {
        assertThat(ToolRun.of("server", "--address", "no-such-host.invalid").err())
                .contains("there is no address");
        try (ServerSocket taken = new ServerSocket(0)) {
            ToolRun run = ToolRun.of("server", "--port", String.valueOf(taken.getLocalPort()));
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err()).contains(String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void shouldRefuseAnOutputThatCannotBeWrittenBeforeMeasuring() {
        ToolRun run = ToolRun.of("client", "127.0.0.1", "send-lat", "--output", "/no/such/place/result.json");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("/no/such/place is no directory");
        assertThat(ToolRun.of("client", "127.0.0.1", "send-lat", "--output", directory.toString())
                        .err())
                .contains("it is a directory");
    }

    @Test
    void shouldTellAClientOfAnotherVersion() throws InterruptedException {
        try (RunningServer server = RunningServer.start();
                Poller poller = Poller.start(PollerConfig.of("test"));
                ControlLink link = connect(server, poller)) {
            link.send(new ControlMessage(99, "9.9", ControlMessage.Type.PLAN, null, null, null, null));

            ControlMessage answer = link.require(LIMIT);

            assertThat(answer.type()).isEqualTo(ControlMessage.Type.REFUSED);
            assertThat(answer.reason()).contains("version 1", "version 99", "use one release on both");
            server.await("failed: ");
        }
    }

    @Test
    void shouldTellAClientThatItsTransportIsNotTheServers() throws InterruptedException {
        try (RunningServer server = RunningServer.start("--transport", "tcp");
                Poller poller = Poller.start(PollerConfig.of("test"));
                ControlLink link = connect(server, poller)) {
            link.send(ControlMessage.plan(ControlMessageTest.PLAN.withTransport(Transport.RDMA)));

            ControlMessage answer = link.require(LIMIT);

            assertThat(answer.type()).isEqualTo(ControlMessage.Type.REFUSED);
            assertThat(answer.reason()).contains("the client wants RDMA", "--transport TCP");
        }
    }

    @Test
    void shouldSendASecondClientAwayWhileTheFirstIsServed() throws InterruptedException {
        try (RunningServer server = RunningServer.start("--transport", "tcp");
                Poller poller = Poller.start(PollerConfig.of("test"))) {
            ControlLink first = connect(server, poller);
            first.send(ControlMessage.plan(ControlMessageTest.PLAN));
            assertThat(first.require(LIMIT).type()).isEqualTo(ControlMessage.Type.ACCEPTED);

            ToolRun second = ToolRun.of("client", "127.0.0.1", "send-lat", "--port", server.port());

            assertThat(second.status()).isEqualTo(1);
            assertThat(second.err()).contains("the server is busy with the test of 127.0.0.1:", "try again later");
            first.close();
            server.await("failed: the client has not connected");
            ToolRun third = ToolRun.of(
                    "client", "127.0.0.1", "send-lat", "-e", "-n", "5", "--warm-up", "0", "--port", server.port());
            assertThat(third.status()).as(third.toString()).isZero();
        }
    }

    @Test
    void shouldEndOnceWithTheStatusOfTheTest() throws InterruptedException {
        try (RunningServer server = RunningServer.start("--once");
                Poller poller = Poller.start(PollerConfig.of("test"));
                ControlLink link = connect(server, poller)) {
            link.send(ControlMessage.ready());

            assertThat(link.require(LIMIT).reason()).contains("begins with a plan");
            assertThat(server.status()).isEqualTo(1);
        }
    }

    private static ControlLink connect(RunningServer server, Poller poller) throws InterruptedException {
        ControlLink link = new ControlLink("server", first -> {});
        RdmaChannel.connect(
                new InetSocketAddress("127.0.0.1", Integer.parseInt(server.port())),
                ChannelConfig.builder()
                        .transport(Transport.TCP)
                        .poller(poller)
                        .connectTimeout(LIMIT)
                        .handshakeTimeout(LIMIT)
                        .build(),
                link);
        return link;
    }

    private static void answerAsHttp(ServerSocket other) {
        try {
            while (true) {
                try (Socket socket = other.accept()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".repeat(8).getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().read();
                }
            }
        } catch (IOException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static String freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return String.valueOf(socket.getLocalPort());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.verbs.Device;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.PathMtu;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A peer that is wrong, silent or gone ends the run within its limit, with one line, and nothing left behind. */
@Tag("rdma")
@ExtendWith(RdmaLab.class)
@Timeout(60)
class WrongPeerIT {
    private static final String HOST = " 127.0.0.1";
    private static final String UNUSED_PEER = "0000:00fffe:000001:00000000000000000000ffff0a4d00fe\0";

    private final int port = TcpPort.free();

    @Test
    void shouldSayThatNobodyListens() {
        requireFailure(JavaSide.run("-p " + port + HOST), "cannot connect to 127.0.0.1 port " + port);
    }

    @Test
    void shouldSayThatNoClientCame() {
        requireFailure(JavaSide.run("-L 1 -p " + port), "no client came to port " + port + " within 1 s");
    }

    @Test
    void shouldSayThatThePortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            requireFailure(JavaSide.run("-p " + taken.getLocalPort()), "cannot listen on port");
        }
    }

    @Test
    void shouldRefuseAServerThatSendsSomethingElse() throws IOException {
        requireFailure(clientOf("220 mail.example.org ESMTP".repeat(3)), "instead of its address");
    }

    @Test
    void shouldSayThatTheServerHungUp() throws IOException {
        requireFailure(clientOf("0000:00"), "closed the connection before it had sent its address");
    }

    @Test
    void shouldSayThatTheServerIsSilent() throws IOException {
        try (ServerSocket silent = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            requireFailure(
                    JavaSide.run("-L 1 -p " + silent.getLocalPort() + HOST), "did not send its address within 1 s");
        }
    }

    @Test
    void shouldRefuseAClientThatSendsSomethingElse() throws IOException {
        requireFailure(
                serverOf("GET / HTTP/1.1\r\nHost: somewhere.example.org\r\nAccept: */*\r\n\r\n"),
                "instead of its address");
    }

    @Test
    void shouldSayThatTheClientIsSilent() throws IOException {
        JavaSide server = JavaSide.start("-L 2 -p " + port);
        TcpPort.awaitListener(port);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(client.isConnected()).isTrue();
            requireFailure(server.await(), "did not send its address within 2 s");
        }
    }

    @Test
    void shouldSayThatTheClientHungUpBeforeConfirming() throws IOException {
        requireFailure(serverOf(UNUSED_PEER), "closed the connection before it had sent its confirmation");
    }

    @Test
    void shouldSayThatAClientDoesNotConfirm() throws IOException {
        requireFailure(serverOf(UNUSED_PEER + "nope\0"), "did not confirm");
    }

    @Test
    void shouldSayThatTheOtherSideToldNoGid() throws IOException {
        requireFailure(serverOf("0000:00fffe:000001:" + "0".repeat(32) + "\0"), "told no GID");
    }

    @Test
    void shouldSayThatNothingComes() throws IOException {
        requireFailure(serverOf("-L 1 ", UNUSED_PEER + "done\0"), "nothing came from the other side for 1 s");
    }

    @Test
    void shouldSayThatNothingComesWhenSleeping() throws IOException {
        requireFailure(serverOf("-e -L 1 ", UNUSED_PEER + "done\0"), "nothing came from the other side for 1 s");
    }

    @Test
    void shouldEndWhenTheProgramInCIsKilled() {
        try (CSide server = CSide.start("-n 100000000 -p " + port)) {
            TcpPort.awaitListener(port);
            JavaSide client = JavaSide.start("-L 3 -n 100000000 -p " + port + HOST);
            awaitTraffic(server);
            server.process().destroyForcibly();

            requireFailure(client.await(), "");
        }
    }

    @Test
    void shouldEndWhenTheProgramInCStalls() throws IOException, InterruptedException {
        try (CSide server = CSide.start("-n 100000000 -p " + port)) {
            TcpPort.awaitListener(port);
            JavaSide client = JavaSide.start("-e -L 3 -n 100000000 -p " + port + HOST);
            awaitTraffic(server);
            new ProcessBuilder("kill", "-STOP", String.valueOf(server.process().pid()))
                    .start()
                    .waitFor();

            requireFailure(client.await(), "nothing came from the other side for 3 s");
        }
    }

    @Test
    void shouldSayThatTheSizesDiffer() {
        JavaSide server = JavaSide.start("-L 5 -n 10 -s 100 -p " + port);

        Run client = JavaSide.run("-L 5 -n 10 -s 99 -w 20 -p " + port + HOST);

        requireFailure(server.await(), "-s");
        assertThat(client.status()).isEqualTo(1);
    }

    @Test
    void shouldSayThatTheOtherSideDoesNotFillForChecking() {
        JavaSide server = JavaSide.start("-L 5 -c -n 10 -p " + port);

        JavaSide.run("-L 5 -n 10 -w 20 -p " + port + HOST);

        requireFailure(server.await(), "wrong content in message 1");
    }

    @Test
    void shouldSayWhichDevicesThereAre() {
        requireFailure(JavaSide.run("-d none"), Device.list().getFirst().name());
    }

    @Test
    void shouldRefuseAPortThatTheDeviceHasNot() {
        requireFailure(JavaSide.run("-i 200"), "200");
    }

    @Test
    void shouldSayWhichGidsThereAreWhenTheGivenOneIsEmpty() {
        JavaSide server = JavaSide.start("-L 5 -p " + port);

        requireFailure(JavaSide.run("-g 255 -w 20 -p " + port + HOST), "GID 255 of port 1");
        requireFailure(server.await(), "closed the connection");
    }

    @Test
    void shouldRefuseMoreThanTheDeviceCarries() {
        requireFailure(JavaSide.run("-s 500000000"), "too large");
    }

    @Test
    void shouldUseTheActiveMtuAndSaySoWhenMoreIsAskedFor() {
        PathMtu active;
        try (DeviceContext context = Device.list().getFirst().open()) {
            active = context.port(1).activeMtu();
        }
        JavaSide server = JavaSide.start("-c -m 4096 -n 10 -p " + port);

        Run client = JavaSide.run("-c -m " + active.bytes() + " -n 10 -w 20 -p " + port + HOST);

        assertThat(client.status()).isZero();
        assertThat(server.await().err())
                .contains(active == PathMtu.MTU_4096 ? "" : "is more than the " + active.bytes());
    }

    private Run clientOf(String text) throws IOException {
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            JavaSide client = JavaSide.start("-L 5 -p " + port + HOST);
            try (Socket socket = server.accept()) {
                socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
                return client.await();
            }
        }
    }

    private Run serverOf(String text) throws IOException {
        return serverOf("-L 5 ", text);
    }

    private Run serverOf(String options, String text) throws IOException {
        JavaSide server = JavaSide.start(options + "-p " + port);
        TcpPort.awaitListener(port);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            client.shutdownOutput();
            return server.await();
        }
    }

    /** The program in C prints into a buffer; its processor time tells that it works. */
    private static void awaitTraffic(CSide side) {
        Wait.until(
                "traffic",
                Duration.ofSeconds(20),
                () -> side.process()
                        .info()
                        .totalCpuDuration()
                        .filter(time -> time.toMillis() > 200)
                        .isPresent());
    }

    private static void requireFailure(Run run, String cause) {
        assertThat(run.err()).contains(cause);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.status()).isEqualTo(1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.examples.support.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both roles as users run them: in two processes. */
@Timeout(240)
class ChannelDemoTest {
    private static final String NUMBER = " +\\d+\\.\\d";

    @Test
    void shouldMeasureAndCheckOverTcp() throws InterruptedException {
        try (ChildJvm server = server("tcp", "1");
                ChildJvm client = client("tcp", server.port())) {
            assertThat(client.status()).as(client.output()).isZero();
            assertThat(server.status()).as(server.output()).isZero();
            assertThat(client.output())
                    .contains("transport: TCP\n")
                    .containsPattern("send and answer, 64 B +300" + NUMBER + NUMBER + " +ok")
                    .containsPattern("write, 64 B +300" + NUMBER + NUMBER + " +ok")
                    .containsPattern("write, 64 KiB +300" + NUMBER + NUMBER + " +ok");
            assertThat(server.output()).contains("over TCP").contains("has closed");
        }
    }

    @Test
    void shouldSayWhyItFellBack() throws InterruptedException {
        try (ChildJvm server = server("tcp", "1");
                ChildJvm client = client("auto", server.port())) {
            assertThat(client.status()).as(client.output()).isZero();
            assertThat(client.restOfLine("transport: "))
                    .startsWith("TCP, since ")
                    .hasSizeGreaterThan(20);
            assertThat(server.status()).as(server.output()).isZero();
        }
    }

    @Test
    void shouldServeOneClientAfterTheOther() throws InterruptedException {
        try (ChildJvm server = server("tcp", "2")) {
            for (int i = 0; i < 2; i++) {
                try (ChildJvm client = client("tcp", server.port())) {
                    assertThat(client.status()).as(client.output()).isZero();
                }
            }
            assertThat(server.status()).as(server.output()).isZero();
        }
    }

    @Test
    void shouldEndTheServerWhenItsClientIsKilled() throws InterruptedException {
        try (ChildJvm server = server("tcp", "1");
                ChildJvm client = ChildJvm.start(
                        ChannelDemo.class, "client", "--iterations", "50000000", address(server.port()))) {
            client.restOfLine("transport: ");
            client.kill();
            assertThat(server.status()).as(server.output()).isEqualTo(1);
            assertThat(server.output()).containsAnyOf("ended", "broke");
        }
    }

    @Test
    void shouldRefuseAWrongCommandLine() throws InterruptedException {
        try (ChildJvm nothing = ChildJvm.start(ChannelDemo.class);
                ChildJvm unknown = ChildJvm.start(ChannelDemo.class, "client", "--speed", "9", "localhost")) {
            assertThat(nothing.status()).isEqualTo(2);
            assertThat(nothing.output()).contains("channel-demo server");
            assertThat(unknown.status()).isEqualTo(2);
            assertThat(unknown.output()).contains("there is no option --speed");
        }
    }

    private static ChildJvm server(String transport, String clients) {
        return ChildJvm.start(
                ChannelDemo.class, "server", "--port", "0", "--transport", transport, "--clients", clients);
    }

    private static ChildJvm client(String transport, int port) {
        return ChildJvm.start(
                ChannelDemo.class,
                "client",
                "--transport",
                transport,
                "--iterations",
                "300",
                "--warm-up",
                "100",
                address(port));
    }

    private static String address(int port) {
        return "127.0.0.1:" + port;
    }
}

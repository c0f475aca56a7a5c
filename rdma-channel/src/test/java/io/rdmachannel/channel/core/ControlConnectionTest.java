// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.TestCertificates;
import io.rdmachannel.channel.TlsConfig;
import io.rdmachannel.channel.protocol.ControlFrame;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ControlConnectionTest {
    @TempDir
    private Path folder;

    private ControlConnection left;
    private ControlConnection right;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSayGoodbyeWhileItReadsAndCloseAlthoughThePeerIsSilent(boolean tls) throws Exception {
        connect(tls);
        CompletableFuture<ControlEnd> leftEnd = new CompletableFuture<>();
        left.watch(leftEnd::complete);
        long begin = System.nanoTime();

        left.end(true);

        assertThat(right.receive(Deadline.after(Duration.ofSeconds(20))).type()).isEqualTo(ControlFrame.Type.GOODBYE);
        assertThat(right.receive(Deadline.after(Duration.ofSeconds(20)))).isNull();
        assertThat(leftEnd.get()).isEqualTo(ControlEnd.BROKEN);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(1900), Duration.ofSeconds(10));
        assertThat(left.socket().isOpen()).isFalse();
        right.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndInOrderOnBothSides(boolean tls) throws Exception {
        connect(tls);
        CompletableFuture<ControlEnd> leftEnd = new CompletableFuture<>();
        CompletableFuture<ControlEnd> rightEnd = new CompletableFuture<>();
        left.watch(leftEnd::complete);
        right.watch(end -> {
            rightEnd.complete(end);
            right.end(true);
        });

        left.end(true);

        assertThat(rightEnd.get()).isEqualTo(ControlEnd.GOODBYE);
        assertThat(leftEnd.get()).isEqualTo(ControlEnd.GOODBYE);
    }

    private void connect(boolean tls) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            left = new ControlConnection(SocketChannel.open(server.getLocalAddress()));
            right = new ControlConnection(server.accept());
        }
        if (tls) {
            secure();
        }
    }

    private void secure() throws Exception {
        TestCertificates certificates = new TestCertificates(folder).make("server", TestCertificates.HERE);
        TlsConfig accepting = TlsConfig.of(certificates.context("server"));
        TlsConfig connecting = TlsConfig.of(certificates.context(null, "server"));
        Deadline deadline = Deadline.after(Duration.ofSeconds(20));
        CompletableFuture<Void> accepted = CompletableFuture.runAsync(() -> {
            try {
                assertThat(right.first(deadline)).isEqualTo(TlsNegotiation.FIRST_BYTE);
                new TlsNegotiation(right, accepting, deadline).accept();
            } catch (IOException failed) {
                throw new AssertionError(failed);
            }
        });
        new TlsNegotiation(left, connecting, deadline).connect(left.peer());
        accepted.get();
    }
}

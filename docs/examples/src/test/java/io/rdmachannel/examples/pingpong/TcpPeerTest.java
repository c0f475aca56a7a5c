// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.verbs.Gid;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The exchange as far as it goes without a device. */
@Timeout(30)
class TcpPeerTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final ExchangeLine LINE = new ExchangeLine(1, 2, 3, Gid.parse("fe80::1"));

    private ServerSocket listener;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stopListening() throws IOException {
        listener.close();
    }

    @Test
    void shouldSendTheLineWithAZeroByteAsCDoes() throws IOException {
        try (TcpPeer client = connect(LONG);
                Socket server = listener.accept()) {
            client.send(LINE);
            client.confirm();

            InputStream input = server.getInputStream();
            assertThat(new String(input.readNBytes(52), StandardCharsets.US_ASCII))
                    .isEqualTo(LINE.format() + '\0');
            assertThat(input.readNBytes(5)).containsExactly('d', 'o', 'n', 'e', 0);
        }
    }

    @Test
    void shouldTakeALineThatComesInPieces() throws IOException {
        try (TcpPeer client = connect(LONG);
                Socket server = listener.accept()) {
            server.setTcpNoDelay(true);
            for (byte letter : (LINE.format() + '\0').getBytes(StandardCharsets.US_ASCII)) {
                server.getOutputStream().write(letter);
            }

            assertThat(client.receive()).isEqualTo(LINE);
        }
    }

    @Test
    void shouldGiveNoMoreTimeToAPeerThatSendsByteAfterByte() throws Exception {
        try (TcpPeer client = connect(SHORT);
                Socket server = listener.accept()) {
            Thread slow = Thread.ofVirtual().start(() -> trickle(server));

            assertThatThrownBy(client::receive).hasMessageContaining("did not send its address within 1 s");
            slow.interrupt();
            slow.join();
        }
    }

    @Test
    void shouldTryAgainAsLongAsPatienceLasts() throws Exception {
        int port = listener.getLocalPort();
        listener.close();
        Thread late = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(300);
                listener = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            } catch (IOException | InterruptedException failure) {
                throw new IllegalStateException(failure);
            }
        });

        try (TcpPeer client = TcpPeer.connect(new InetSocketAddress("127.0.0.1", port), LONG, LONG)) {
            assertThat(client.localAddress().isLoopbackAddress()).isTrue();
        }
        late.join();
    }

    @Test
    void shouldNameAHostThatDoesNotExist() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("no-such-host.invalid", 1);

        assertThatThrownBy(() -> TcpPeer.connect(nowhere, SHORT, Duration.ZERO))
                .isInstanceOf(PingPongException.class)
                .hasMessageContaining("no-such-host.invalid");
    }

    @Test
    void shouldGiveTheClientToTheServer() throws Exception {
        int port = TcpPort.free();
        Thread client = Thread.ofVirtual().start(() -> {
            try (TcpPeer peer = TcpPeer.connect(new InetSocketAddress("127.0.0.1", port), LONG, LONG)) {
                peer.send(LINE);
                peer.receive();
                peer.confirm();
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
        });

        try (TcpPeer server = TcpPeer.accept(port, LONG)) {
            assertThat(server.receive()).isEqualTo(LINE);
            server.send(LINE);
            server.awaitConfirmation();
        }
        client.join();
    }

    private TcpPeer connect(Duration limit) throws IOException {
        return TcpPeer.connect(new InetSocketAddress("127.0.0.1", listener.getLocalPort()), limit, Duration.ZERO);
    }

    private static void trickle(Socket socket) {
        try {
            for (int i = 0; i < 50; i++) {
                socket.getOutputStream().write('0');
                Thread.sleep(100);
            }
        } catch (SocketException | InterruptedException expected) {
            // The other side has had enough.
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}

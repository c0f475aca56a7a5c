// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.testing.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Control connections by TLS: whom each side trusts, and peers that are slow, plain or hostile. Over TCP. */
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
class TlsTest {
    private static final Duration SOON = Duration.ofMillis(1500);

    private static SSLContext server;
    private static SSLContext client;
    private static SSLContext clientWithKey;
    private static SSLContext impostor;
    private static SSLContext distrustful;
    private static SSLContext elsewhere;

    private Poller poller;
    private RdmaListener listener;

    @BeforeAll
    static void makeCertificates(@TempDir Path folder) throws Exception {
        TestCertificates certificates = new TestCertificates(folder)
                .make("server", TestCertificates.HERE)
                .make("elsewhere", TestCertificates.ELSEWHERE)
                .make("client", TestCertificates.HERE)
                .make("impostor", "CN=client", TestCertificates.HERE);
        server = certificates.context("server", "client");
        elsewhere = certificates.context("elsewhere", "client");
        client = certificates.context(null, "server", "elsewhere");
        clientWithKey = certificates.context("client", "server");
        impostor = certificates.context("impostor", "server");
        distrustful = certificates.context(null, "client");
    }

    @BeforeEach
    void listen() {
        poller = Poller.start(PollerConfig.of("listening").withPool(4 << 20, 64 << 20));
        listener = bind(config().tls(server));
    }

    @AfterEach
    void shouldStillServeWhoIsTrusted() throws Exception {
        try (RdmaChannel honest = connect(config().tls(client))) {
            assertThat(honest.state()).isEqualTo(ChannelState.CONNECTED);
        }
        listener.close();
        poller.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void shouldConnectSendAndCloseInOrderWithNothingReadableInBetween(String protocol) throws Exception {
        TlsConfig tls = only(protocol);
        try (FrameRelay relay = new FrameRelay(listener.address(), frame -> List.of(frame.bytes()))) {
            RdmaChannel left = RdmaChannel.connect(
                    relay.address(), config().poller(poller).tls(tls).build(), new Recorder());
            RdmaChannel right = listener.accept(Duration.ofSeconds(10));
            right.sendAsync(Contents.memory(new byte[20_000]))
                    .toCompletableFuture()
                    .get();
            left.close();
            Deadline.usual()
                    .await("the other side has ended", () -> right.state().isOver());
            assertThat(right.state()).isEqualTo(ChannelState.CLOSED);
            assertThat(left.failure()).isEmpty();
            assertThat(relay.seen).extracting(FrameRelay.Seen::type).containsOnly(FrameRelay.ATTACH);
        }
    }

    @Test
    void shouldTellThePeerOfAnEndWithoutGoodbye() throws Exception {
        Poller own = Poller.start(PollerConfig.of("short-lived"));
        RdmaChannel.connect(listener.address(), config().poller(own).tls(client).build(), new Recorder());
        RdmaChannel right = listener.accept(Duration.ofSeconds(10));
        own.close();
        Deadline.usual().await("the other side has ended", () -> right.state().isOver());
        assertThat(right.failure().orElseThrow().reason()).isEqualTo(Reason.PEER_GONE);
        right.close();
    }

    @Test
    void shouldWantACertificateThatItTrustsWhereThatIsConfigured() throws Exception {
        TlsConfig mutual = TlsConfig.of(server).withClientCertificates();
        try (RdmaListener choosy = bind(config().tls(mutual))) {
            try (RdmaChannel known = RdmaChannel.connect(
                    choosy.address(), config().poller(poller).tls(clientWithKey).build(), new Recorder())) {
                assertThat(known.state()).isEqualTo(ChannelState.CONNECTED);
            }
            assertThat(failureOf(choosy.address(), config().tls(client)).reason())
                    .isEqualTo(Reason.NOT_AUTHENTICATED);
            assertThat(failureOf(choosy.address(), config().tls(impostor)).reason())
                    .isEqualTo(Reason.NOT_AUTHENTICATED);
        }
    }

    @Test
    void shouldNotConnectToAListenerThatItDoesNotTrust() {
        ChannelException failure = failureOf(listener.address(), config().tls(distrustful));
        assertThat(failure.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
        assertThat(failure).hasMessageContaining("certificates that the other side trusts");
    }

    @Test
    void shouldNotConnectToAListenerWhoseCertificateIsMadeOutToAnotherName() throws Exception {
        try (RdmaListener other = bind(config().tls(elsewhere))) {
            ChannelException failure = failureOf(other.address(), config().tls(client));
            assertThat(failure.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
            assertThat(failure).hasMessageContaining("No subject alternative");
            TlsConfig anyName = TlsConfig.of(client).withParameters(p -> p.setEndpointIdentificationAlgorithm(null));
            RdmaChannel.connect(
                            other.address(),
                            config().poller(poller).tls(anyName).build(),
                            new Recorder())
                    .close();
        }
    }

    @Test
    void shouldTellAPlainPeerThatTlsIsWanted() {
        ChannelException failure = failureOf(listener.address(), config());
        assertThat(failure.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
        assertThat(failure).hasMessageContaining("by TLS only");
        ChannelException withSecret = failureOf(listener.address(), config().sharedSecret(new byte[16]));
        assertThat(withSecret.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
        assertThat(withSecret).hasMessageContaining("by TLS only");
    }

    @Test
    void shouldTellOfAListenerThatIsPlain() {
        try (RdmaListener plain = bind(config())) {
            ChannelException failure = failureOf(plain.address(), config().tls(client));
            assertThat(failure.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
            assertThat(failure).hasMessageContaining("tls must be configured on both sides");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void shouldAuthenticateInsideTls(String protocol) throws Exception {
        byte[] secret = Contents.bytes(3, 20);
        try (RdmaListener both = bind(config().tls(server).sharedSecret(secret))) {
            RdmaChannel.connect(
                            both.address(),
                            config().poller(poller)
                                    .tls(only(protocol))
                                    .sharedSecret(secret)
                                    .build(),
                            new Recorder())
                    .close();
            ChannelException none = failureOf(both.address(), config().tls(client));
            assertThat(none.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
            assertThat(none).hasMessageContaining("sharedSecret");
            ChannelException wrong =
                    failureOf(both.address(), config().tls(client).sharedSecret(new byte[20]));
            assertThat(wrong.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
        }
    }

    /** Its certificate is trusted, and it passes on each frame, proofs among them, as it is. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void shouldNoticeWhoSitsBetweenTwoTlsConnections(String protocol) throws Exception {
        byte[] secret = Contents.bytes(3, 20);
        try (RdmaListener both = bind(config().tls(server).sharedSecret(secret));
                TlsRelay relay = new TlsRelay(both.address(), server, client)) {
            ChannelException failure =
                    failureOf(relay.address(), config().tls(only(protocol)).sharedSecret(secret));
            assertThat(relay.passed.get()).isGreaterThan(100);
            assertThat(failure.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
            assertThat(failure).hasMessageContaining("sharedSecret");
        }
    }

    @Test
    void shouldCutOffAPeerWhoseTlsIsSlowAtTheDeadline() throws Exception {
        try (RdmaListener hasty = bind(config().tls(server).handshakeTimeout(SOON));
                RawPeer slow = new RawPeer(hasty.address())) {
            // A handshake message of 16,000 bytes, of which one comes now and then.
            slow.send(new byte[] {22, 3, 1, 0x3E, (byte) 0x80, 1, 0, 0x3E, 0x7C, 3, 3});
            assertThat(dripUntilCut(slow)).isLessThan(SOON.plusSeconds(2));
        }
    }

    @Test
    void shouldCutOffAPeerThatIsSlowInsideTls() throws Exception {
        try (RdmaListener hasty = bind(config().tls(server).handshakeTimeout(SOON));
                Socket raw = new Socket(
                        InetAddress.getLoopbackAddress(), hasty.address().getPort());
                SSLSocket tls = (SSLSocket) client.getSocketFactory().createSocket(raw, "localhost", 1, false)) {
            tls.startHandshake();
            raw.getOutputStream().write(new byte[] {23, 3, 3, 0x3E, (byte) 0x80});
            long begin = System.nanoTime();
            Deadline limit = Deadline.usual();
            assertThatThrownBy(() -> {
                        while (!limit.isOver()) {
                            raw.getOutputStream().write(1);
                            limit.pause();
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON.plusSeconds(3));
        }
    }

    @Test
    void shouldRefuseAHandshakeMessageWithoutEnd() throws Exception {
        try (RawPeer huge = new RawPeer(listener.address())) {
            byte[] record = new byte[5 + 16_384];
            byte[] head = {22, 3, 1, 0x40, 0, 1, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 3, 3};
            System.arraycopy(head, 0, record, 0, head.length);
            Deadline limit = Deadline.in(10, TimeUnit.SECONDS);
            assertThatThrownBy(() -> {
                        while (!limit.isOver()) {
                            huge.send(record);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldGiveUpOnAListenerWhoseTlsIsSlow() throws Exception {
        try (ServerSocket slow = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = slow.accept()) {
                    Deadline limit = Deadline.usual();
                    socket.getOutputStream().write(new byte[] {22, 3, 3, 0x3E, (byte) 0x80});
                    while (!limit.isOver()) {
                        socket.getOutputStream().write(2);
                        limit.pause();
                    }
                } catch (IOException cut) {
                    // As it must be.
                }
            });
            InetSocketAddress address = (InetSocketAddress) slow.getLocalSocketAddress();
            long begin = System.nanoTime();
            ChannelException failure = failureOf(address, config().tls(client).handshakeTimeout(SOON));
            assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON.plusSeconds(5));
        }
    }

    @Test
    void shouldTryAgainWhenThePeerClosesDuringTls() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) full.getLocalSocketAddress();
            Poller own = Poller.start(PollerConfig.of("patient"));
            var connecting = RdmaChannel.connectAsync(
                            address, config().poller(own).tls(client).build(), new Recorder())
                    .toCompletableFuture();
            for (int i = 0; i < 2; i++) {
                try (Socket socket = full.accept()) {
                    socket.getInputStream().read(new byte[4096]);
                }
            }
            assertThat(connecting).isNotDone();
            connecting.cancel(false);
            Deadline.usual().await("the end of the attempts", () -> closed(own));
        }
    }

    @Test
    void shouldRefuseAnAttachInsideTls() throws Exception {
        try (Socket raw = new Socket(
                        InetAddress.getLoopbackAddress(), listener.address().getPort());
                SSLSocket tls = (SSLSocket) client.getSocketFactory().createSocket(raw, "localhost", 1, false)) {
            tls.getOutputStream().write(new ControlFrame(ControlFrame.Type.ATTACH, new byte[0]).encode());
            assertThat(ControlFrame.read(tls.getInputStream()).type()).isEqualTo(ControlFrame.Type.REFUSE);
            assertThat(ControlFrame.read(tls.getInputStream())).isNull();
        }
    }

    @Test
    void shouldRefuseLibrdmacm() {
        ChannelConfigBuilder builder =
                config().tls(client).transport(Transport.RDMA).connectionMethod(ConnectionMethod.RDMA_CM);
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RDMA_CM")
                .hasMessageContaining("tls");
    }

    private static TlsConfig only(String protocol) {
        return TlsConfig.of(client).withParameters(parameters -> parameters.setProtocols(new String[] {protocol}));
    }

    private static boolean closed(Poller poller) {
        try {
            poller.close();
            return true;
        } catch (RuntimeException later) {
            return false;
        }
    }

    private static Duration dripUntilCut(RawPeer peer) {
        long begin = System.nanoTime();
        Deadline limit = Deadline.usual();
        assertThatThrownBy(() -> {
                    while (!limit.isOver()) {
                        peer.send(new byte[] {1});
                        limit.pause();
                    }
                })
                .isInstanceOf(IOException.class);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static ChannelException failureOf(InetSocketAddress address, ChannelConfigBuilder config) {
        try (RdmaChannel channel = RdmaChannel.connect(address, config.build(), new Recorder())) {
            throw new AssertionError("connected: " + channel);
        } catch (ChannelException failure) {
            return failure;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private RdmaListener bind(ChannelConfigBuilder config) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return RdmaListener.bind(any, config.poller(poller).build(), Recorder::new);
    }

    private RdmaChannel connect(ChannelConfigBuilder config) throws InterruptedException {
        return RdmaChannel.connect(listener.address(), config.poller(poller).build(), new Recorder());
    }

    private static ChannelConfigBuilder config() {
        return ChannelConfig.builder().transport(Transport.TCP).receiveDepth(16);
    }
}

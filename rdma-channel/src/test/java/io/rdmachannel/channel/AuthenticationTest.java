// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.testing.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shared secret: who has it connects, and nobody else, whatever he does on the path. Over TCP, on any machine. */
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
class AuthenticationTest {
    private static final byte[] SECRET = Contents.bytes(1, 32);

    private Poller poller;
    private RdmaListener listener;

    @BeforeEach
    void listen() {
        poller = Poller.start(PollerConfig.of("listening").withPool(4 << 20, 64 << 20));
        listener = bind(config().sharedSecret(SECRET));
    }

    @AfterEach
    void shouldStillServeWhoHasTheSecret() throws Exception {
        try (RdmaChannel honest = connect(listener.address(), SECRET)) {
            assertThat(honest.state()).isEqualTo(ChannelState.CONNECTED);
        }
        listener.close();
        poller.close();
    }

    @Test
    void shouldConnectSendAndCloseInOrder() throws Exception {
        RdmaChannel client = connect(listener.address(), SECRET);
        RdmaChannel server = listener.accept(Duration.ofSeconds(10));
        server.sendAsync(Contents.memory(new byte[20_000]));
        client.close();
        Deadline.usual().await("the other side has ended", () -> server.state().isOver());
        assertThat(server.state()).isEqualTo(ChannelState.CLOSED);
        assertThat(client.failure()).isEmpty();
    }

    @Test
    void shouldRefuseAWrongSecretAndNoneInTheSameWordsAndNotTryAgain() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (FrameRelay relay = new FrameRelay(listener.address(), frame -> {
            boolean begins = frame.type() == FrameRelay.CHALLENGE || frame.type() == FrameRelay.HELLO;
            attempts.addAndGet(frame.fromConnecting() && begins ? 1 : 0);
            return List.of(frame.bytes());
        })) {
            ChannelException wrong = failureOf(relay.address(), config().sharedSecret(Contents.bytes(2, 32)));
            ChannelException none = failureOf(relay.address(), config());
            assertThat(wrong.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
            assertThat(none.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
            assertThat(wrong).hasMessageContaining("must be configured with the same sharedSecret");
            assertThat(none).hasMessage(wrong.getMessage());
            assertThat(attempts).hasValue(2);
        }
    }

    @Test
    void shouldNotConnectWithASecretToAListenerThatHasNone() {
        try (RdmaListener open = bind(config())) {
            ChannelException failure = failureOf(open.address(), config().sharedSecret(SECRET));
            assertThat(failure.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
            assertThat(failure).hasMessageContaining("sharedSecret");
        }
    }

    @Test
    void shouldNotBelieveAListenerThatReflectsWhatIsSent() throws Exception {
        try (ServerSocket mirror = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = mirror.accept()) {
                    socket.getInputStream().transferTo(socket.getOutputStream());
                } catch (IOException over) {
                    // The other side has seen enough.
                }
            });
            ChannelException failure = failureOf(addressOf(mirror), config().sharedSecret(SECRET));
            assertThat(failure.reason()).isEqualTo(Reason.NOT_AUTHENTICATED);
        }
    }

    @Test
    void shouldNotBelieveAListenerThatSkipsTheProof() throws Exception {
        try (ServerSocket liar = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = liar.accept()) {
                    Fields nonce = new Fields().put(Fields.Tag.NONCE, new byte[32]);
                    socket.getOutputStream()
                            .write(new ControlFrame(ControlFrame.Type.CHALLENGE, nonce.encode()).encode());
                    socket.getOutputStream().write(new ControlFrame(ControlFrame.Type.WELCOME, new byte[0]).encode());
                    socket.getInputStream().readAllBytes();
                } catch (IOException over) {
                    // The other side has seen enough.
                }
            });
            ChannelException failure = failureOf(addressOf(liar), config().sharedSecret(SECRET));
            assertThat(failure.reason()).isEqualTo(Reason.PROTOCOL);
        }
    }

    @Test
    void shouldRefuseAHandshakeThatIsReplayed() throws Exception {
        try (FrameRelay relay = new FrameRelay(listener.address(), frame -> List.of(frame.bytes()))) {
            connect(relay.address(), SECRET).close();
            try (RawPeer replaying = new RawPeer(listener.address())) {
                replaying.send(relay.first(FrameRelay.CHALLENGE).bytes());
                assertThat(replaying.receive().type()).isEqualTo(ControlFrame.Type.CHALLENGE);
                replaying.send(relay.first(FrameRelay.PROOF).bytes());
                replaying.send(relay.first(FrameRelay.HELLO).bytes());
                assertThat(replaying.refusal()).contains("authentication failed");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {FrameRelay.HELLO, FrameRelay.WELCOME, FrameRelay.READY})
    void shouldNoticeAFrameThatIsChangedOnTheWay(int type) throws Exception {
        FrameRelay.Editor changing = frame -> {
            byte[] bytes = frame.bytes().clone();
            if (frame.type() == type) {
                // The version of the header, which may differ.
                bytes[5] ^= 1;
            }
            return List.of(bytes);
        };
        CompletableFuture<RdmaChannel> accepted = listener.acceptAsync().toCompletableFuture();
        try (FrameRelay relay = new FrameRelay(listener.address(), changing)) {
            if (type == FrameRelay.READY) {
                // The connecting side has ended its handshake by then.
                RdmaChannel client = connect(relay.address(), SECRET);
                Deadline.usual().await("the end", () -> client.state().isOver());
                assertThat(client.state()).isEqualTo(ChannelState.FAILED);
                client.close();
            } else {
                ChannelException failure = failureOf(relay.address(), config().sharedSecret(SECRET));
                assertThat(failure.reason()).isIn(Reason.PROTOCOL, Reason.REFUSED);
                assertThat(failure).hasMessageContaining("code behind a control frame is wrong");
            }
            assertThat(accepted).isNotDone();
        }
        accepted.cancel(false);
    }

    @Test
    void shouldNotBelieveAGoodbyeThatThePeerHasNotSaid() throws Exception {
        CompletableFuture<RdmaChannel> accepted = listener.acceptAsync().toCompletableFuture();
        byte[] goodbye = new ControlFrame(ControlFrame.Type.GOODBYE, new byte[0]).encode();
        byte[] forged = ByteBuffer.allocate(goodbye.length + 32).put(goodbye).array();
        FrameRelay.Editor forging =
                frame -> frame.type() == FrameRelay.WELCOME ? List.of(frame.bytes(), forged) : List.of(frame.bytes());
        try (FrameRelay relay = new FrameRelay(listener.address(), forging)) {
            RdmaChannel client = connect(relay.address(), SECRET);
            Deadline.usual().await("the end", () -> client.state().isOver());
            assertThat(client.state()).isEqualTo(ChannelState.FAILED);
            assertThat(client.failure().orElseThrow().reason()).isEqualTo(Reason.PEER_GONE);
            client.close();
            accepted.get().close();
        }
    }

    @Test
    void shouldRefuseASecondConnectionProvenWithWhatCouldBeReadOnly() throws Exception {
        CompletableFuture<String> refusal = new CompletableFuture<>();
        FrameRelay.Editor attaching = frame -> {
            if (frame.type() == FrameRelay.WELCOME) {
                byte[] payload = Arrays.copyOfRange(frame.bytes(), 16, frame.bytes().length - 32);
                refusal.complete(refusalOfAttach(RawPeer.attach(Fields.decode(payload))));
            }
            return List.of(frame.bytes());
        };
        try (FrameRelay relay = new FrameRelay(listener.address(), attaching);
                RdmaChannel honest = connect(relay.address(), SECRET)) {
            assertThat(honest.state()).isEqualTo(ChannelState.CONNECTED);
            assertThat(refusal.get()).contains("nobody expects");
            listener.accept(Duration.ofSeconds(10));
            try (RawPeer replaying = new RawPeer(listener.address())) {
                replaying.send(relay.first(FrameRelay.ATTACH).bytes());
                assertThat(replaying.refusal()).contains("nobody expects");
            }
        }
    }

    @Test
    void shouldDropAPeerThatAuthenticatesSlowlyAtTheDeadline() throws Exception {
        try (RdmaListener hasty = bind(config().sharedSecret(SECRET).handshakeTimeout(Duration.ofMillis(400)));
                RawPeer slow = new RawPeer(hasty.address())) {
            slow.send(ControlFrame.Type.CHALLENGE, new Fields().put(Fields.Tag.NONCE, new byte[32]));
            assertThat(slow.receive().type()).isEqualTo(ControlFrame.Type.CHALLENGE);
            assertThat(slow.refusal()).contains("handshakeTimeout");
        }
    }

    @Test
    void shouldRefuseSecretsThatAreTooShortAndLibrdmacm() {
        ChannelConfigBuilder builder = config();
        assertThatThrownBy(() -> builder.sharedSecret(new byte[15]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("15 bytes")
                .hasMessageContaining("at least 16");
        builder.sharedSecret(new byte[16]).transport(Transport.RDMA).connectionMethod(ConnectionMethod.RDMA_CM);
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RDMA_CM")
                .hasMessageContaining("sharedSecret");
    }

    @Test
    void shouldCopyTheSecret() throws Exception {
        byte[] mine = SECRET.clone();
        ChannelConfig config = config().sharedSecret(mine).build();
        Arrays.fill(mine, (byte) 0);
        try (RdmaChannel channel = RdmaChannel.connect(listener.address(), config, new Recorder())) {
            assertThat(channel.state()).isEqualTo(ChannelState.CONNECTED);
        }
    }

    private String refusalOfAttach(Fields attach) {
        try (RawPeer eavesdropper = new RawPeer(listener.address())) {
            eavesdropper.send(ControlFrame.Type.ATTACH, attach);
            return eavesdropper.refusal();
        } catch (IOException | AssertionError failed) {
            return failed.toString();
        }
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

    private RdmaChannel connect(InetSocketAddress address, byte[] secret) throws InterruptedException {
        return RdmaChannel.connect(
                address, config().poller(poller).sharedSecret(secret).build(), new Recorder());
    }

    private static InetSocketAddress addressOf(ServerSocket socket) {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    private static ChannelConfigBuilder config() {
        return ChannelConfig.builder().transport(Transport.TCP).receiveDepth(16);
    }
}

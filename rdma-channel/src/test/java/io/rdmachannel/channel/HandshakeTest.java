// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Bad, slow, hostile and strange peers, and the time limits. Over TCP, on any machine. */
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
class HandshakeTest {
    private static final int TCP = 1;

    private Poller poller;
    private RdmaListener listener;

    @BeforeEach
    void listen() {
        poller = Poller.start(PollerConfig.of("listening").withPool(4 << 20, 64 << 20));
        listener = bind(config().handshakeTimeout(Duration.ofMillis(700)).handshakesMax(4));
    }

    @AfterEach
    void shouldStillServeHonestPeers() throws Exception {
        try (RdmaChannel honest = RdmaChannel.connect(listener.address(), config().build(), new Recorder())) {
            assertThat(honest.state()).isEqualTo(ChannelState.CONNECTED);
            assertThat(honest.transport()).isEqualTo(Transport.TCP);
        }
        listener.close();
        poller.close();
    }

    @Test
    void shouldRefuseWhatIsNoChannel() throws IOException {
        try (RawPeer browser = new RawPeer(listener.address())) {
            browser.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(browser.refusal()).contains("is no channel");
        }
    }

    @Test
    void shouldRefuseAnotherMajorVersionByName() throws IOException {
        try (RawPeer newer = new RawPeer(listener.address())) {
            newer.send(RawPeer.ofVersion(2, 3, ControlFrame.Type.HELLO, RawPeer.hello(TCP)));
            assertThat(newer.refusal()).contains("version 2.3").contains("1.0");
        }
    }

    @Test
    void shouldTalkWithANewerMinorVersionAndSkipWhatItDoesNotKnow() throws IOException {
        try (RawPeer newer = new RawPeer(listener.address())) {
            byte[] known = RawPeer.hello(TCP).encode();
            byte[] unknownField = ByteBuffer.allocate(7)
                    .putShort((short) 9999)
                    .putShort((short) 3)
                    .array();
            byte[] payload = ByteBuffer.allocate(known.length + 7)
                    .put(unknownField)
                    .put(known)
                    .array();
            byte[] unknownFrame = RawPeer.ofVersion(1, 9, ControlFrame.Type.UNKNOWN, new Fields());
            ByteBuffer.wrap(unknownFrame).putShort(6, (short) 777);
            newer.send(unknownFrame);
            byte[] hello = new ControlFrame(ControlFrame.Type.HELLO, payload).encode();
            hello[5] = 9;
            newer.send(hello);
            ControlFrame answer = newer.receive();
            assertThat(answer.type()).isEqualTo(ControlFrame.Type.WELCOME);
            assertThat(Fields.decode(answer.payload()).number(Fields.Tag.TRANSPORTS, 1, 0, 3))
                    .isEqualTo(TCP);
        }
    }

    @Test
    void shouldRefuseAFrameOverTheLimitWithoutReadingIt() throws IOException {
        try (RawPeer hostile = new RawPeer(listener.address())) {
            byte[] bytes = new ControlFrame(ControlFrame.Type.HELLO, new byte[0]).encode();
            ByteBuffer.wrap(bytes).putInt(8, Integer.MAX_VALUE);
            hostile.send(bytes);
            assertThat(hostile.refusal()).contains("2147483647").contains("16384");
        }
    }

    @Test
    void shouldRefuseFieldsThatAreMissingCutOffOrOutOfRange() throws IOException {
        Fields noSession = new Fields().put(Fields.Tag.TRANSPORTS, 1, TCP);
        Fields tooDeep = RawPeer.hello(TCP).put(Fields.Tag.RECEIVE_DEPTH, 4, 1 << 30);
        byte[] cutOff = {0, 1, 0, 16, 1, 2, 3};
        List<byte[]> payloads = List.of(noSession.encode(), tooDeep.encode(), cutOff);
        List<String> reasons = List.of("SESSION is missing", "RECEIVE_DEPTH is 1073741824", "of its 16 bytes");
        for (int i = 0; i < payloads.size(); i++) {
            try (RawPeer wrong = new RawPeer(listener.address())) {
                wrong.send(new ControlFrame(ControlFrame.Type.HELLO, payloads.get(i)).encode());
                assertThat(wrong.refusal()).contains(reasons.get(i));
            }
        }
    }

    @Test
    void shouldRefuseWhoeverBeginsWithAnotherFrame() throws IOException {
        try (RawPeer wrong = new RawPeer(listener.address())) {
            wrong.send(ControlFrame.Type.READY, new Fields());
            assertThat(wrong.refusal()).contains("begins with READY");
        }
    }

    @Test
    void shouldRefuseASecondConnectionThatNobodyExpects() throws IOException {
        try (RawPeer first = new RawPeer(listener.address());
                RawPeer stranger = new RawPeer(listener.address())) {
            first.send(ControlFrame.Type.HELLO, RawPeer.hello(TCP));
            Fields welcome = Fields.decode(first.receive().payload());
            Fields attach = new Fields()
                    .put(Fields.Tag.SESSION, welcome.bytes(Fields.Tag.SESSION, 16))
                    .put(Fields.Tag.PROOF, new byte[32]);
            stranger.send(ControlFrame.Type.ATTACH, attach);
            assertThat(stranger.refusal()).contains("nobody expects");
        }
    }

    @Test
    void shouldNotBeHeldUpBySilentAndSlowPeers() throws Exception {
        List<RawPeer> silent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            silent.add(new RawPeer(listener.address()));
        }
        long begin = System.nanoTime();
        try (RdmaChannel honest = RdmaChannel.connect(listener.address(), config().build(), new Recorder())) {
            assertThat(honest.state()).isEqualTo(ChannelState.CONNECTED);
        }
        assertThat(System.nanoTime() - begin).isLessThan(Duration.ofSeconds(20).toNanos());
        for (RawPeer peer : silent) {
            peer.close();
        }
    }

    @Test
    void shouldDropAPeerThatSendsAByteNowAndThenAtTheDeadline() throws Exception {
        try (RawPeer slow = new RawPeer(listener.address())) {
            byte[] hello =
                    new ControlFrame(ControlFrame.Type.HELLO, RawPeer.hello(TCP).encode()).encode();
            CompletableFuture<String> refusal = CompletableFuture.supplyAsync(() -> {
                try {
                    return slow.refusal();
                } catch (IOException dropped) {
                    return "dropped";
                }
            });
            int sent = 0;
            while (!refusal.isDone() && sent < hello.length - 1) {
                slow.send(new byte[] {hello[sent]});
                sent++;
                Thread.sleep(20);
            }
            assertThat(sent).isLessThan(hello.length - 1);
            assertThat(refusal.get()).matches("dropped|.*handshakeTimeout.*");
        }
    }

    @Test
    void shouldSayAtWhatConnectingStoppedWhenNobodyListens() throws Exception {
        InetSocketAddress nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = (InetSocketAddress) socket.getLocalSocketAddress();
        }
        ChannelConfig config = config().handshakeTimeout(Duration.ofMillis(100))
                .connectTimeout(Duration.ofMillis(400))
                .build();
        assertThatThrownBy(() -> RdmaChannel.connect(nobody, config, new Recorder()))
                .isInstanceOfSatisfying(
                        ChannelException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(ChannelException.Reason.UNREACHABLE))
                .hasMessageContaining("is a listener bound there");
    }

    @Test
    void shouldTryAgainUntilThereIsAListener() throws Exception {
        Poller own = Poller.start(PollerConfig.of("early"));
        CompletableFuture<RdmaChannel> early;
        InetSocketAddress address;
        try (ServerSocket other = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            address = (InetSocketAddress) other.getLocalSocketAddress();
            early = RdmaChannel.connectAsync(address, config().poller(own).build(), new Recorder())
                    .toCompletableFuture();
            other.accept().close();
        }
        assertThat(early).isNotDone();
        try (RdmaListener late =
                RdmaListener.bind(address, config().poller(poller).build(), Recorder::new)) {
            RdmaChannel channel = early.get();
            assertThat(channel.state()).isEqualTo(ChannelState.CONNECTED);
            assertThat(late.accept(Duration.ofSeconds(10))).isNotNull();
            channel.close();
        }
        own.close();
    }

    @Test
    void shouldFailWhenThePeerSaysGoodbyeAndItsLastFrameDoesNotCome() throws Exception {
        CompletableFuture<RdmaChannel> accepted = listener.acceptAsync().toCompletableFuture();
        try (RawPeer control = new RawPeer(listener.address());
                RawPeer data = new RawPeer(listener.address())) {
            control.send(ControlFrame.Type.HELLO, RawPeer.hello(TCP));
            Fields welcome = Fields.decode(control.receive().payload());
            data.send(ControlFrame.Type.ATTACH, RawPeer.attach(welcome));
            control.send(ControlFrame.Type.READY, new Fields().put(Fields.Tag.TRANSPORTS, 1, TCP));
            RdmaChannel channel = accepted.get();
            control.send(ControlFrame.Type.GOODBYE, new Fields());
            await(() -> channel.state() == ChannelState.FAILED);
            assertThat(channel.failure().orElseThrow()).hasMessageContaining("last frame has not come");
            channel.close();
        }
    }

    @Test
    void shouldGiveUpOnAListenerThatSaysNothing() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            ChannelConfig config =
                    config().handshakeTimeout(Duration.ofMillis(200)).build();
            InetSocketAddress address = (InetSocketAddress) mute.getLocalSocketAddress();
            assertThatThrownBy(() -> RdmaChannel.connect(address, config, new Recorder()))
                    .isInstanceOfSatisfying(
                            ChannelException.class,
                            failure -> assertThat(failure.reason()).isEqualTo(ChannelException.Reason.TIMEOUT))
                    .hasMessageContaining("handshakeTimeout");
        }
    }

    @Test
    void shouldNotBelieveAListenerThatIsNone() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = other.accept()) {
                    socket.getOutputStream().write("SSH-2.0-OpenSSH_9.2 and so on\r\n".getBytes());
                    socket.getInputStream().readNBytes(20);
                } catch (IOException ignored) {
                    // The client has said enough.
                }
            });
            InetSocketAddress address = (InetSocketAddress) other.getLocalSocketAddress();
            assertThatThrownBy(() -> RdmaChannel.connect(address, config().build(), new Recorder()))
                    .isInstanceOfSatisfying(
                            ChannelException.class,
                            failure -> assertThat(failure.reason()).isEqualTo(ChannelException.Reason.PROTOCOL))
                    .hasMessageContaining("is no channel");
        }
    }

    @Test
    void shouldEndConnectingWhenInterrupted() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            InetSocketAddress address = (InetSocketAddress) mute.getLocalSocketAddress();
            Thread connecting = Thread.ofPlatform().start(() -> {
                try {
                    RdmaChannel.connect(address, config().build(), new Recorder());
                } catch (InterruptedException | RuntimeException failed) {
                    thrown.set(failed);
                }
            });
            try (Socket socket = mute.accept()) {
                connecting.interrupt();
                connecting.join();
                assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
                socket.setSoTimeout(10_000);
                socket.getInputStream().readAllBytes();
            }
        }
    }

    @Test
    void shouldRefuseRdmaByNameWhereItIsRequiredAndCannotBe() {
        ChannelConfig config = ChannelConfig.builder()
                .transport(Transport.RDMA)
                .device("none_such")
                .build();
        assertThatThrownBy(() -> RdmaChannel.connect(listener.address(), config, new Recorder()))
                .isInstanceOfSatisfying(
                        ChannelException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(ChannelException.Reason.UNAVAILABLE));
    }

    @Test
    void shouldFallBackWithAReason() throws Exception {
        ChannelConfig config = ChannelConfig.builder().device("none_such").build();
        try (RdmaChannel channel = RdmaChannel.connect(listener.address(), config, new Recorder())) {
            assertThat(channel.transport()).isEqualTo(Transport.TCP);
            assertThat(channel.fallbackReason()).isPresent();
        }
    }

    @Test
    void shouldConnectOverIpv6WhereThereIsOne() throws Exception {
        InetAddress loopback = InetAddress.getByName("::1");
        try (RdmaListener other = RdmaListener.bind(
                        new InetSocketAddress(loopback, 0),
                        config().poller(poller).build(),
                        Recorder::new);
                RdmaChannel channel = RdmaChannel.connect(other.address(), config().build(), new Recorder())) {
            assertThat(channel.peerAddress().getAddress()).isEqualTo(loopback);
        }
    }

    @Test
    void shouldRefuseToBindAnAddressThatIsTaken() {
        assertThatThrownBy(() -> RdmaListener.bind(listener.address(), config().build(), Recorder::new))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining("cannot be bound");
    }

    @Test
    void shouldReturnNullWhenNobodyComesInTime() throws Exception {
        assertThat(listener.accept(Duration.ofMillis(30))).isNull();
    }

    @Test
    void shouldLeaveAcceptedChannelsAloneWhenItCloses() throws Exception {
        Poller own = Poller.start(PollerConfig.of("clients"));
        for (int i = 0; i < 60; i++) {
            RdmaListener other = bind(config());
            CompletableFuture<RdmaChannel> accepted = other.acceptAsync().toCompletableFuture();
            RdmaChannel client =
                    RdmaChannel.connect(other.address(), config().poller(own).build(), new Recorder());
            RdmaChannel server = accepted.get();
            other.close();
            client.sendAsync(Contents.memory(new byte[10]))
                    .toCompletableFuture()
                    .get();
            assertThat(server.state()).isEqualTo(ChannelState.CONNECTED);
            client.close();
            assertThat(client.state()).isEqualTo(ChannelState.CLOSED);
        }
        own.close();
    }

    @Test
    void shouldLetAFailedChannelBeClosedFromAnyThread() throws Exception {
        Poller own = Poller.start(PollerConfig.of("failing"));
        ChannelHandler throwing = (channel, buffer, offset, length) -> {
            throw new IllegalStateException("thrown by the test");
        };
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (RdmaListener other = RdmaListener.bind(any, config().poller(poller).build(), () -> throwing)) {
            RdmaChannel client =
                    RdmaChannel.connect(other.address(), config().poller(own).build(), new Recorder());
            RdmaChannel server = other.accept(Duration.ofSeconds(10));
            client.sendAsync(Contents.memory(new byte[1]))
                    .handle((done, failure) -> failure)
                    .toCompletableFuture()
                    .get();
            await(() -> server.state() == ChannelState.FAILED && client.state().isOver());
            server.close();
            client.close();
            await(() -> server.state() == ChannelState.CLOSED && client.state() == ChannelState.CLOSED);
        }
        own.close();
    }

    private static void await(BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begin)
                    .isLessThan(Duration.ofSeconds(20).toNanos());
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void shouldDisappointWhoeverWaitsWhenItCloses() throws Exception {
        RdmaListener other = bind(config());
        CompletableFuture<RdmaChannel> waiting = other.acceptAsync().toCompletableFuture();
        other.close();
        other.close();
        assertThat(waiting).isCompletedExceptionally();
        assertThatThrownBy(() -> other.accept(Duration.ofSeconds(1)))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void shouldRefuseAChannelThatThePoolCannotServe() {
        assertThatThrownBy(() -> RdmaChannel.connect(
                        listener.address(),
                        greedyOn(PollerConfig.of("small").withPool(1 << 20, 8 << 20)),
                        new Recorder()))
                .isInstanceOfSatisfying(
                        ChannelException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(ChannelException.Reason.UNAVAILABLE))
                .hasMessageContaining("1000 x 1 MiB for posted receives")
                .hasMessageContaining("PollerConfig.withPool");
    }

    private static ChannelConfig greedyOn(PollerConfig config) {
        return ChannelConfig.builder()
                .transport(Transport.TCP)
                .receiveBytes(1 << 20)
                .receiveDepth(1000)
                .poller(Poller.create(config))
                .build();
    }

    private RdmaListener bind(ChannelConfigBuilder config) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return RdmaListener.bind(any, config.poller(poller).build(), Recorder::new);
    }

    private static ChannelConfigBuilder config() {
        return ChannelConfig.builder().transport(Transport.TCP).receiveDepth(16);
    }
}

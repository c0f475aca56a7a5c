// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One address takes all that it can get, in every way, and others are served nevertheless. Over TCP. */
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
class AddressLimitsTest {
    private static final int TCP = 1;
    private static final int PER_ADDRESS = 2;
    private static final int IN_ALL = 4;
    private static final byte[] SECRET = Contents.bytes(1, 32);

    private static SSLContext server;
    private static SSLContext client;

    private final List<AutoCloseable> open = new ArrayList<>();
    private InetAddress greedy;
    private InetAddress modest;
    private Poller poller;

    @BeforeAll
    static void makeCertificates(@TempDir Path folder) throws Exception {
        TestCertificates certificates = new TestCertificates(folder).make("server", TestCertificates.HERE);
        server = certificates.context("server");
        client = certificates.context(null, "server");
    }

    @BeforeEach
    void begin() throws IOException {
        greedy = InetAddress.getByName("127.0.0.2");
        modest = InetAddress.getByName("127.0.0.3");
        poller = Poller.start(PollerConfig.of("listening").withPool(4 << 20, 64 << 20));
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        poller.close();
    }

    @Test
    void shouldCloseSilentConnectionsOfTheAddressThatHasTheMost() throws Exception {
        RdmaListener listener = bind(config());
        RawPeer patient = keep(new RawPeer(listener.address(), modest));
        for (int i = 0; i < 10 * IN_ALL; i++) {
            keep(new RawPeer(listener.address(), greedy));
        }
        RawPeer last = keep(new RawPeer(listener.address(), greedy));

        for (RawPeer peer : List.of(patient, last)) {
            peer.send(
                    ControlFrame.Type.HELLO, RawPeer.hello(3).put(Fields.Tag.SESSION, Contents.bytes(open.size(), 16)));
            assertThat(peer.receive().type()).isEqualTo(ControlFrame.Type.WELCOME);
            open.remove(peer);
            peer.close();
        }
    }

    @Test
    void shouldRefuseMoreHandshakesOfOneAddressAndServeOthers() throws Exception {
        RdmaListener listener = bind(config());
        for (int i = 0; i < PER_ADDRESS; i++) {
            assertThat(greet(listener, greedy, i).receive().type()).isEqualTo(ControlFrame.Type.WELCOME);
        }

        RawPeer refused = greet(listener, greedy, PER_ADDRESS);
        RawPeer served = greet(listener, modest, PER_ADDRESS + 1);

        assertThat(refused.refusal()).contains("handshakesPerAddressMax");
        assertThat(served.receive().type()).isEqualTo(ControlFrame.Type.WELCOME);
    }

    @Test
    void shouldTakeHandshakesOfAnAddressAgainWhenOthersHaveEnded() throws Exception {
        RdmaListener listener = bind(config().handshakeTimeout(Duration.ofSeconds(1)));
        List<RawPeer> first = new ArrayList<>();
        for (int i = 0; i < PER_ADDRESS; i++) {
            first.add(greet(listener, greedy, i));
        }
        for (RawPeer peer : first) {
            assertThat(peer.receive().type()).isEqualTo(ControlFrame.Type.WELCOME);
            assertThat(peer.refusal()).contains("handshakeTimeout");
        }
        assertThat(greet(listener, greedy, PER_ADDRESS).receive().type()).isEqualTo(ControlFrame.Type.WELCOME);
    }

    /** What somebody may try. */
    enum Attack {
        SILENCE,
        A_BYTE_NOW_AND_THEN,
        A_HUGE_FRAME,
        FRAMES_WITHOUT_END,
        SLOW_TLS,
        A_HUGE_TLS_RECORD,
        SILENCE_AFTER_A_CHALLENGE,
        FRAMES_WITHOUT_END_AFTER_A_CHALLENGE,
        WRONG_PROOFS
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeOthersWhileOneAddressTriesEverything(Attack attack) throws Exception {
        RdmaListener listener = bind(config().tls(server).sharedSecret(SECRET).handshakeTimeout(Duration.ofSeconds(2)));
        RdmaListener withoutTls = bind(config().sharedSecret(SECRET).handshakeTimeout(Duration.ofSeconds(2)));
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger attempts = new AtomicInteger();
        List<Thread> attackers = new ArrayList<>();
        for (int i = 0; i < 5 * IN_ALL; i++) {
            attackers.add(Thread.ofVirtual().start(() -> {
                while (!over.get()) {
                    attempts.incrementAndGet();
                    attempt(attack, attack.name().contains("TLS") ? listener : withoutTls, over);
                }
            }));
        }
        try {
            for (int i = 0; i < 3; i++) {
                connect(listener, config().tls(client));
                connect(withoutTls, config());
            }
        } finally {
            over.set(true);
            for (Thread attacker : attackers) {
                attacker.join();
            }
        }
        assertThat(attempts.get()).isGreaterThanOrEqualTo(attackers.size());
    }

    private void attempt(Attack attack, RdmaListener listener, AtomicBoolean over) {
        try (RawPeer peer = new RawPeer(listener.address(), greedy)) {
            switch (attack) {
                case SILENCE -> repeat(over, () -> {});
                case A_BYTE_NOW_AND_THEN -> {
                    peer.send("RDCH".getBytes());
                    repeat(over, () -> peer.send(new byte[] {1}));
                }
                case A_HUGE_FRAME -> {
                    peer.send(ByteBuffer.wrap(frame(777, new byte[0]))
                            .putInt(8, Integer.MAX_VALUE)
                            .array());
                    repeat(over, () -> peer.send(new byte[10_000]));
                }
                case FRAMES_WITHOUT_END -> repeat(over, () -> peer.send(frame(777, new byte[16_000])));
                case SLOW_TLS -> {
                    peer.send(new byte[] {22, 3, 1, 0x3E, (byte) 0x80, 1, 0, 0x3E, 0x7C, 3, 3});
                    repeat(over, () -> peer.send(new byte[] {1}));
                }
                case A_HUGE_TLS_RECORD -> {
                    peer.send(new byte[] {22, 3, 1, -1, -1, 1, -1, -1, -1});
                    repeat(over, () -> peer.send(new byte[10_000]));
                }
                case SILENCE_AFTER_A_CHALLENGE -> {
                    challenge(peer);
                    repeat(over, () -> {});
                }
                case FRAMES_WITHOUT_END_AFTER_A_CHALLENGE -> {
                    challenge(peer);
                    repeat(over, () -> peer.send(frame(777, new byte[16_000])));
                }
                default -> {
                    challenge(peer);
                    peer.send(ControlFrame.Type.PROOF, new Fields().put(Fields.Tag.PROOF, new byte[32]));
                    peer.receive();
                }
            }
        } catch (IOException | RuntimeException thrownOut) {
            LockSupport.parkNanos(100_000);
        }
    }

    /** What is done until the listener closes the connection, or for a second. */
    private interface Step {
        void run() throws IOException;
    }

    private static void repeat(AtomicBoolean over, Step step) throws IOException {
        long begin = System.nanoTime();
        while (!over.get() && System.nanoTime() - begin < Duration.ofSeconds(1).toNanos()) {
            step.run();
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static void challenge(RawPeer peer) throws IOException {
        peer.send(ControlFrame.Type.CHALLENGE, new Fields().put(Fields.Tag.NONCE, new byte[32]));
        peer.receive();
    }

    private static byte[] frame(int type, byte[] payload) {
        byte[] bytes = new ControlFrame(ControlFrame.Type.GOODBYE, payload).encode();
        return ByteBuffer.wrap(bytes).putShort(6, (short) type).array();
    }

    private void connect(RdmaListener listener, ChannelConfigBuilder config) throws InterruptedException {
        ChannelConfig whole = config.poller(poller)
                .sharedSecret(SECRET)
                .connectTimeout(Duration.ofSeconds(15))
                .build();
        try (RdmaChannel channel = RdmaChannel.connect(listener.address(), whole, new Recorder())) {
            assertThat(channel.state()).isEqualTo(ChannelState.CONNECTED);
            listener.accept(Duration.ofSeconds(10)).close();
        }
    }

    private RawPeer greet(RdmaListener listener, InetAddress own, int number) throws IOException {
        RawPeer peer = keep(new RawPeer(listener.address(), own));
        peer.send(ControlFrame.Type.HELLO, RawPeer.hello(TCP).put(Fields.Tag.SESSION, Contents.bytes(number, 16)));
        return peer;
    }

    private RawPeer keep(RawPeer peer) {
        open.add(peer);
        return peer;
    }

    private RdmaListener bind(ChannelConfigBuilder config) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        RdmaListener listener = RdmaListener.bind(
                any,
                config.poller(poller)
                        .handshakesMax(IN_ALL)
                        .handshakesPerAddressMax(PER_ADDRESS)
                        .build(),
                Recorder::new);
        open.add(listener);
        return listener;
    }

    private static ChannelConfigBuilder config() {
        return ChannelConfig.builder().transport(Transport.TCP).receiveDepth(16);
    }
}

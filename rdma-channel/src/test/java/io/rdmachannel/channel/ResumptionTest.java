// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.core.Hmac;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.ControlFrame.Type;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.testing.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import javax.crypto.Mac;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may connect a channel anew, byte by byte as docs/protocol.md tells it. */
class ResumptionTest {
    private static final int TCP = 1;

    private final Poller poller = Poller.start(PollerConfig.of("resumption"));
    private final ChannelConfig config = ChannelConfig.builder()
            .transport(Transport.TCP)
            .recovery(RecoveryPolicy.BLOCK)
            .recoveryTimeout(Duration.ofSeconds(60))
            .handshakeTimeout(Duration.ofSeconds(2))
            .poller(poller)
            .build();
    private final RdmaListener listener =
            RdmaListener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), config, Recorder::new);

    private byte[] session;
    private byte[] secret;

    @AfterEach
    void closeAll() {
        listener.close();
        Deadline.usual().await("no handshake goes on", () -> {
            try {
                poller.close();
                return true;
            } catch (RuntimeException busy) {
                return false;
            }
        });
    }

    @Test
    void shouldRefuseAnUnknownSessionAWrongProofAndAnEpochThatIsNotLater() throws Exception {
        RdmaChannel channel = begin();
        assertThat(channel.state().isOver()).isFalse();

        assertThat(refusal(hello(new byte[16], 1, proof(1)))).startsWith("PEER_RESTARTED");
        assertThat(refusal(hello(session, 1, new byte[32])))
                .startsWith("PROTOCOL")
                .contains("secret");
        assertThat(refusal(hello(session, 1, proof(2)))).startsWith("PROTOCOL").contains("secret");
        try (RawPeer peer = new RawPeer(listener.address())) {
            peer.send(Type.HELLO, hello(session, 5, proof(5)));
            assertThat(peer.receive().type()).isEqualTo(Type.WELCOME);
        }
        assertThat(refusal(hello(session, 5, proof(5)))).startsWith("PROTOCOL").contains("epoch 5");
        assertThat(refusal(hello(session, 4, proof(4)))).startsWith("PROTOCOL").contains("epoch 4");
        assertThat(channel.state().isOver()).isFalse();
    }

    /** A channel whose peer keeps to the protocol so far. */
    private RdmaChannel begin() throws Exception {
        RawPeer control = new RawPeer(listener.address());
        control.send(Type.HELLO, RawPeer.hello(TCP).put(Tag.RECOVERY, 1, 1));
        Fields welcome = Fields.decode(control.receive().payload());
        session = welcome.bytes(Tag.SESSION, 16);
        secret = welcome.bytes(Tag.RESUME_SECRET, 16);
        RawPeer data = new RawPeer(listener.address());
        data.send(Type.ATTACH, RawPeer.attach(welcome));
        control.send(Type.READY, new Fields().put(Tag.TRANSPORTS, 1, TCP));
        return listener.accept(Duration.ofSeconds(10));
    }

    private Fields hello(byte[] of, long epoch, byte[] proof) {
        return RawPeer.hello(TCP)
                .put(Tag.SESSION, of)
                .put(Tag.EPOCH, 8, epoch)
                .put(Tag.RECOVERY, 1, 1)
                .put(Tag.RESUME_PROOF, proof);
    }

    private byte[] proof(long epoch) {
        Mac mac = Hmac.keyed(secret);
        mac.update(session);
        return mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(epoch).array());
    }

    private String refusal(Fields hello) throws IOException {
        try (RawPeer peer = new RawPeer(listener.address())) {
            peer.send(Type.HELLO, hello);
            ControlFrame answer = peer.receive();
            assertThat(answer.type()).isEqualTo(Type.REFUSE);
            Fields said = Fields.decode(answer.payload());
            return said.text(Tag.REFUSAL) + ": " + said.text(Tag.REASON);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttachmentsTest {
    private final Attachments attachments = new Attachments();
    private final byte[] session = Session.random();

    @Test
    void shouldNotTakeTheSessionFromAnotherHandshakeThatHasItNow() throws IOException {
        byte[] first = proof();
        byte[] second = proof();
        attachments.expect(session, first);
        attachments.arrived(SocketChannel.open(), attach(first));
        attachments.await(session, Deadline.after(Duration.ofSeconds(1))).close();

        attachments.expect(session, second);
        attachments.forget(session, first);

        try (SocketChannel connection = SocketChannel.open()) {
            attachments.arrived(connection, attach(second));
            assertThat(attachments.await(session, Deadline.after(Duration.ofSeconds(1))))
                    .isSameAs(connection);
        }
    }

    @Test
    void shouldCloseAConnectionThatNobodyWaitsForAnyMore() throws IOException {
        byte[] secret = proof();
        attachments.expect(session, secret);
        SocketChannel late = SocketChannel.open();
        attachments.arrived(late, attach(secret));
        attachments.forget(session, secret);
        assertThat(late.isOpen()).isFalse();
        assertThatThrownBy(() -> attachments.arrived(late, attach(secret))).isInstanceOf(ProtocolException.class);
    }

    private Fields attach(byte[] proof) {
        return new Fields().put(Tag.SESSION, session).put(Tag.PROOF, proof);
    }

    private byte[] proof() {
        return AttachProof.of(Session.random(), new byte[0], session);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.protocol.Fields.Tag;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PrivateHelloTest {
    private static final byte[] SESSION = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final Fields fields = new Fields()
            .put(Tag.SESSION, SESSION)
            .put(Tag.RECEIVE_BYTES, 4, 1 << 24)
            .put(Tag.RECEIVE_DEPTH, 4, 16384)
            .put(Tag.RECEIVE_CREDIT, 4, 8)
            .put(Tag.MAX_MESSAGE_BYTES, 8, Long.MAX_VALUE / 2);

    @Test
    void shouldFitIntoTheRequestAndComeBackFromAFilledPacket() {
        byte[] data = PrivateHello.encode(fields);
        assertThat(data).hasSize(PrivateHello.BYTES).hasSizeLessThanOrEqualTo(56);
        Fields back = PrivateHello.decode(Arrays.copyOf(data, 56));
        assertThat(back.bytes(Tag.SESSION, 16)).isEqualTo(SESSION);
        assertThat(back.number(Tag.RECEIVE_BYTES, 4, 0, Integer.MAX_VALUE)).isEqualTo(1 << 24);
        assertThat(back.number(Tag.RECEIVE_DEPTH, 4, 0, 65535)).isEqualTo(16384);
        assertThat(back.number(Tag.RECEIVE_CREDIT, 4, 0, 65535)).isEqualTo(8);
        assertThat(back.number(Tag.MAX_MESSAGE_BYTES, 8, 0, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE / 2);
    }

    @Test
    void shouldTalkToANewerMinorVersionAndRefuseAnotherMajorOneByName() {
        byte[] data = PrivateHello.encode(fields);
        data[5] = 9;
        assertThat(PrivateHello.decode(data).bytes(Tag.SESSION, 16)).isEqualTo(SESSION);
        data[4] = 2;
        assertThatThrownBy(() -> PrivateHello.decode(data))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("version 2.9")
                .hasMessageContaining("this side 1.0");
    }

    @Test
    void shouldRefuseWhatIsNone() {
        assertThatThrownBy(() -> PrivateHello.decode(new byte[56]))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("no channel");
        byte[] data = PrivateHello.encode(fields);
        assertThatThrownBy(() -> PrivateHello.decode(Arrays.copyOf(data, PrivateHello.BYTES - 1)))
                .isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> PrivateHello.decode(new byte[0])).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldCarryARefusalAndCutALongSentenceBetweenCharacters() {
        String sentence = "ü".repeat(100);
        byte[] data = PrivateHello.encodeRefusal(true, sentence);
        assertThat(data).hasSize(148);
        byte[] filled = Arrays.copyOf(data, 148);
        assertThat(PrivateHello.isRefusal(filled)).isTrue();
        assertThat(PrivateHello.isBusy(filled)).isTrue();
        assertThat(PrivateHello.sentence(filled)).isEqualTo("ü".repeat(70));
        byte[] odd = PrivateHello.encodeRefusal(false, "a" + sentence);
        assertThat(PrivateHello.sentence(Arrays.copyOf(odd, 148))).isEqualTo("a" + "ü".repeat(69));
        assertThat(PrivateHello.isBusy(odd)).isFalse();
        assertThat(PrivateHello.isRefusal(new byte[148])).isFalse();
        assertThat(PrivateHello.isRefusal(new byte[3])).isFalse();
    }

    @Test
    void shouldNotBelieveALengthBeyondTheData() {
        byte[] data = PrivateHello.encodeRefusal(false, "short");
        data[6] = (byte) 0xFF;
        data[7] = (byte) 0xFF;
        assertThat(PrivateHello.sentence(data)).isEqualTo("short");
    }
}

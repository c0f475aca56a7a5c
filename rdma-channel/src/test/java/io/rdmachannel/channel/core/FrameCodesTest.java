// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameCodesTest {
    private static final byte[] KEY = new byte[32];

    private final List<byte[]> frames = new ArrayList<>();

    @BeforeEach
    void writeThree() {
        FrameCodes writing = new FrameCodes(KEY);
        for (int i = 0; i < 3; i++) {
            Fields fields = new Fields().put(Fields.Tag.RECEIVE_DEPTH, 4, i);
            frames.add(writing.append(new ControlFrame(ControlFrame.Type.HELLO, fields.encode()).encode()));
        }
    }

    @Test
    void shouldReadWhatWasWritten() throws IOException {
        ByteArrayInputStream stream = joined(0, 1, 2);
        FrameCodes reading = new FrameCodes(KEY);
        for (int i = 0; i < 3; i++) {
            Fields fields = Fields.decode(reading.read(stream).payload());
            assertThat(fields.number(Fields.Tag.RECEIVE_DEPTH, 4, 0, 9)).isEqualTo(i);
        }
        assertThat(reading.read(stream)).isNull();
    }

    @Test
    void shouldNoticeWhicheverBitIsChanged() {
        byte[] frame = frames.getFirst();
        for (int i = 0; i < frame.length; i++) {
            byte[] changed = frame.clone();
            changed[i] ^= 0x10;
            assertThatThrownBy(() -> new FrameCodes(KEY).read(new ByteArrayInputStream(changed)))
                    .as("byte %d", i)
                    .isInstanceOfAny(ProtocolException.class, EOFException.class);
        }
    }

    @Test
    void shouldNoticeAFrameThatIsLeftOutRepeatedOrMoved() {
        for (int[] order : new int[][] {{1}, {0, 2}, {0, 0}, {1, 0}, {0, 1, 1}}) {
            ByteArrayInputStream stream = joined(order);
            FrameCodes reading = new FrameCodes(KEY);
            assertThatThrownBy(() -> {
                        while (reading.read(stream) != null) {
                            assertThat(stream.available()).isPositive();
                        }
                    })
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("code behind a control frame is wrong");
        }
    }

    @Test
    void shouldNoticeAnotherKeyAndAFrameWithoutCode() {
        byte[] other = KEY.clone();
        other[31] = 1;
        assertThatThrownBy(() -> new FrameCodes(other).read(joined(0))).isInstanceOf(ProtocolException.class);
        byte[] bare = new ControlFrame(ControlFrame.Type.GOODBYE, new byte[0]).encode();
        assertThatThrownBy(() -> new FrameCodes(KEY).read(new ByteArrayInputStream(bare)))
                .isInstanceOf(EOFException.class);
    }

    private ByteArrayInputStream joined(int... order) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int number : order) {
            bytes.writeBytes(frames.get(number));
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}

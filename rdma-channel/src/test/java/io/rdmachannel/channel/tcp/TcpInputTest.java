// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.ProtocolException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TcpInputTest {
    private final MemorySegment target = Arena.ofAuto().allocate(1000);
    private final List<String> frames = new ArrayList<>();
    private boolean permitted = true;

    private final TcpInput input = new TcpInput(new TcpInput.Receiver() {
        @Override
        public MemorySegment headArrived(MemorySegment head) {
            return FrameHeader.type(head) == Operation.WRITE ? null : target;
        }

        @Override
        public long dataOffset() {
            return 5;
        }

        @Override
        public boolean isStillPermitted(MemorySegment head) {
            return permitted;
        }

        @Override
        public void dataArrived(MemorySegment head) {
            int length = FrameHeader.length(head);
            frames.add(FrameHeader.type(head) + ":" + FrameHeader.sequence(head) + ":"
                    + new String(target.asSlice(5, length).toArray(ValueLayout.JAVA_BYTE)));
            target.fill((byte) '-');
        }
    });

    @Test
    void shouldTakeFramesApartHoweverTheBytesArrive() {
        MemorySegment bytes = Arena.ofAuto().allocate(1000);
        long end = frame(bytes, 0, FrameHeader.MESSAGE, 1, "hello");
        end = frame(bytes, end, FrameHeader.ACKNOWLEDGEMENT, 2, "");
        end = operation(bytes, end, Operation.READ, 3, "");
        end = operation(bytes, end, Operation.WRITE, 4, "dropped");
        end = frame(bytes, end, FrameHeader.MESSAGE, 5, "world");
        target.fill((byte) '-');
        List<String> expected = List.of("1:1:hello", "3:2:", "18:3:", "16:4:-------", "1:5:world");
        for (int step = 1; step <= end; step++) {
            frames.clear();
            int count = 0;
            for (long at = 0; at < end; at += step) {
                int part = (int) Math.min(step, end - at);
                count += input.take(bytes.asSlice(at), part);
            }
            assertThat(frames).as("in steps of %d", step).isEqualTo(expected);
            assertThat(count).isEqualTo(expected.size());
        }
    }

    @Test
    void shouldRefuseANegativeLength() {
        MemorySegment bytes = Arena.ofAuto().allocate(FrameHeader.BYTES);
        FrameHeader.put(bytes, FrameHeader.MESSAGE, -1, 1);
        assertThatThrownBy(() -> input.take(bytes, FrameHeader.BYTES)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldDropTheRestOfDataWhoseTargetIsWithdrawn() {
        MemorySegment bytes = Arena.ofAuto().allocate(1000);
        long end = frame(bytes, 0, FrameHeader.MESSAGE, 1, "hello");
        target.fill((byte) '-');
        input.take(bytes, FrameHeader.BYTES + 2);
        permitted = false;
        input.take(bytes.asSlice(FrameHeader.BYTES + 2), (int) end - FrameHeader.BYTES - 2);
        permitted = true;
        input.take(bytes, (int) end);
        assertThat(frames).containsExactly("1:1:he---", "1:1:hello");
    }

    private static long frame(MemorySegment bytes, long at, int type, long number, String text) {
        FrameHeader.put(bytes.asSlice(at), type, text.length(), number);
        return text(bytes, at + FrameHeader.BYTES, text);
    }

    private static long operation(MemorySegment bytes, long at, int type, long number, String text) {
        Operation.put(bytes, at, type, 0, 0, text.length());
        Operation.putHeader(bytes, at, text.length(), number);
        return text(bytes, at + Operation.BYTES, text);
    }

    private static long text(MemorySegment bytes, long at, String text) {
        MemorySegment.copy(text.getBytes(), 0, bytes, ValueLayout.JAVA_BYTE, at, text.length());
        return at + text.length();
    }
}

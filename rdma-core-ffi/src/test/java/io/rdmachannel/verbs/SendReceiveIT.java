// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RdmaTest
class SendReceiveIT {
    private ConnectedPair pair;
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        pair = ConnectedPair.open(PairOptions.usual().regionBytes(9 << 20));
        left = pair.left();
        right = pair.right();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 1023, 1024, 1025, 4096, 4097, 1 << 20})
    void shouldDeliverAMessageOfAnySize(int length) {
        left.fill(0, length, 5);
        right.receive(70, 100, length);
        left.begin(WorkRequestOpcode.SEND, 71).add(0, left.region(), 0, length);
        left.post();

        Completion received = right.next();

        assertThat(received.opcode()).isEqualTo(WorkCompletionOpcode.RECEIVE);
        assertThat(received.id()).isEqualTo(70);
        assertThat(received.byteLength()).isEqualTo(length);
        assertThat(received.immediate()).isEmpty();
        assertThat(received.queuePairNumber()).isEqualTo(right.queuePair().number());
        assertThat(right.read(100, length)).isEqualTo(Endpoint.pattern(length, 5));
        assertSent(71, WorkCompletionOpcode.SEND);
    }

    @Test
    void shouldDeliverAMessageOfTheLargestSize() {
        long largest = pair.context().port(pair.device().port()).maxMessageSize();
        assertThat(largest).isLessThanOrEqualTo(left.region().length());
        left.fill(0, (int) largest, 9);
        right.receive(1, 0, largest);
        left.begin(WorkRequestOpcode.SEND, 2).add(0, left.region(), 0, largest);
        left.post();

        assertThat(right.next().byteLength()).isEqualTo(largest);
        assertThat(right.read(0, (int) largest)).isEqualTo(Endpoint.pattern((int) largest, 9));
        assertSent(2, WorkCompletionOpcode.SEND);
    }

    @Test
    void shouldDeliverAMessageOfNoBytes() {
        right.receive(1, 0, 64);
        left.begin(WorkRequestOpcode.SEND, 2);
        left.post();

        assertThat(right.next().byteLength()).isZero();
        assertSent(2, WorkCompletionOpcode.SEND);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x0102_0304, -1, Integer.MIN_VALUE})
    void shouldDeliverImmediateData(int value) {
        right.receive(1, 0, 64);
        left.begin(WorkRequestOpcode.SEND_WITH_IMMEDIATE, 2).immediate(0, value).add(0, left.region(), 0, 8);
        left.post();

        Completion received = right.next();

        assertThat(received.immediate()).contains(value);
        assertThat(received.byteLength()).isEqualTo(8);
        assertSent(2, WorkCompletionOpcode.SEND);
    }

    @Test
    void shouldSendInlineBytesOfUnregisteredMemory() {
        int length = left.queuePair().capabilities().maxInlineBytes();
        byte[] bytes = Endpoint.pattern(length, 3);
        right.receive(1, 0, length);
        left.begin(WorkRequestOpcode.SEND, 2).inline(0, MemorySegment.ofArray(bytes), 0, length);
        bytes[0]++;
        left.post();

        assertThat(right.next().byteLength()).isEqualTo(length);
        assertThat(right.read(0, length)).isEqualTo(Endpoint.pattern(length, 3));
        assertSent(2, WorkCompletionOpcode.SEND);
    }

    @Test
    void shouldSendNoInlineBytes() {
        right.receive(1, 0, 64);
        left.begin(WorkRequestOpcode.SEND, 2).inline(0, MemorySegment.NULL, 0, 0);
        left.post();

        assertThat(right.next().byteLength()).isZero();
    }

    @Test
    void shouldGatherAndScatterPieces() {
        left.fill(0, 3000, 1);
        right.receives()
                .begin(0, 7)
                .add(0, right.region(), 10_000, 700)
                .add(0, right.region(), 0, 0)
                .add(0, right.region(), 20_000, 2300);
        assertThat(right.queuePair().postReceive(right.receives(), 0)).isEqualTo(PostResult.POSTED);
        left.begin(WorkRequestOpcode.SEND, 8)
                .add(0, left.region(), 0, 1)
                .add(0, left.region(), 1, 1499)
                .add(0, left.region(), 1500, 1500);
        left.post();

        assertThat(right.next().byteLength()).isEqualTo(3000);
        byte[] expected = Endpoint.pattern(3000, 1);
        assertThat(right.read(10_000, 700)).isEqualTo(Arrays.copyOf(expected, 700));
        assertThat(right.read(20_000, 2300)).isEqualTo(Arrays.copyOfRange(expected, 700, 3000));
        assertSent(8, WorkCompletionOpcode.SEND);
    }

    @Test
    void shouldKeepTheOrderOfAChain() {
        for (int i = 0; i < 8; i++) {
            right.receives().begin(i, 100 + i).add(i, right.region(), i * 64L, 64);
            left.sends().begin(i, WorkRequestOpcode.SEND, 200 + i, true).add(i, left.region(), 0, i + 1);
        }
        assertThat(right.queuePair().postReceive(right.receives(), 0, 8)).isEqualTo(PostResult.POSTED);
        assertThat(left.queuePair().postSend(left.sends(), 0, 8)).isEqualTo(PostResult.POSTED);
        assertThat(left.sends().firstRejected()).isEqualTo(-1);

        List<Completion> received = right.next(8);
        assertThat(received).extracting(Completion::id).containsExactly(100L, 101L, 102L, 103L, 104L, 105L, 106L, 107L);
        assertThat(received).extracting(Completion::byteLength).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(left.next(8)).extracting(Completion::id).startsWith(200L).endsWith(207L);
    }

    @Test
    void shouldPostOnlyTheSlotsThatWereAskedFor() {
        for (int i = 0; i < 8; i++) {
            right.receive(i, 0, 64);
            left.sends().begin(i, WorkRequestOpcode.SEND, i, true);
        }
        assertThat(left.queuePair().postSend(left.sends(), 3, 2)).isEqualTo(PostResult.POSTED);
        assertThat(left.next(2)).extracting(Completion::id).containsExactly(3L, 4L);
        assertThat(left.queuePair().postSend(left.sends(), 2, 3)).isEqualTo(PostResult.POSTED);
        assertThat(left.next(3)).extracting(Completion::id).containsExactly(2L, 3L, 4L);
        assertThat(right.next(5)).hasSize(5);
        assertThat(Completion.drain(left.completions())).isEmpty();
    }

    @Test
    void shouldTellOnlyOfSignaledSends() {
        for (int i = 0; i < 4; i++) {
            right.receive(i, 0, 64);
            left.sends().begin(i, WorkRequestOpcode.SEND, i, i == 3);
        }
        assertThat(left.queuePair().postSend(left.sends(), 0, 4)).isEqualTo(PostResult.POSTED);

        assertThat(right.next(4)).hasSize(4);
        assertThat(left.next().id()).isEqualTo(3);
        assertThat(Completion.drain(left.completions())).isEmpty();
    }

    private void assertSent(long id, WorkCompletionOpcode opcode) {
        Completion sent = left.next();
        assertThat(sent.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(sent.id()).isEqualTo(id);
        assertThat(sent.opcode()).isEqualTo(opcode);
        assertThat(sent.queuePairNumber()).isEqualTo(left.queuePair().number());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.mempool.Lease;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a channel promises of messages. */
abstract class MessageContract extends ContractPair {
    @Test
    void shouldDeliverMessagesOfAnySizeWholeInOrderAndOnce() throws Exception {
        pair = open();
        int eager = pair.left.config().receiveBytes();
        int[] sizes = {
            0,
            1,
            2,
            63,
            64,
            65,
            191,
            192,
            193,
            223,
            224,
            225,
            255,
            256,
            257,
            1023,
            1024,
            1025,
            4063,
            4064,
            4065,
            4095,
            4096,
            4097,
            eager - 33,
            eager - 32,
            eager - 1,
            eager,
            eager + 1,
            65_535,
            65_536,
            65_537,
            1 << 20,
            5_000_001,
            0
        };
        List<byte[]> sent = new ArrayList<>();
        for (int size : sizes) {
            byte[] bytes = Contents.bytes(size, size);
            sent.add(bytes);
            MemorySegment memory = Contents.memory(bytes);
            send(pair.left, memory);
            // The bytes were copied.
            memory.fill((byte) 0);
        }
        pair.pollUntil("all messages are there", () -> atRight.messages.size() == sent.size());
        for (int i = 0; i < sizes.length; i++) {
            assertThat(atRight.messages.get(i))
                    .as("message of %d bytes", sizes[i])
                    .isEqualTo(sent.get(i));
        }
        assertThat(pair.left.state()).isEqualTo(ChannelState.CONNECTED);
    }

    @Test
    void shouldSendBothWaysAtOnceForLongerThanAnyWindow() throws Exception {
        pair = open();
        int count = 5_000;
        int[] sent = new int[2];
        MemorySegment memory = Arena.ofAuto().allocate(20_000);
        pair.pollUntil("both sides have all messages", () -> {
            sent[0] = sendSome(pair.left, memory, sent[0], count);
            sent[1] = sendSome(pair.right, memory, sent[1], count);
            return atLeft.messages.size() == count && atRight.messages.size() == count;
        });
        for (int i = 0; i < count; i++) {
            assertThat(atLeft.messages.get(i)).hasSize(sizeOf(i));
            assertThat(atRight.messages.get(i)).hasSize(sizeOf(i));
        }
    }

    @Test
    void shouldTellThatAMessageWasHandled() throws Exception {
        pair = open();
        MemorySegment memory = Contents.memory(Contents.bytes(1, 100));
        for (int i = 0; i < 3; i++) {
            assertThat(pair.left.send(memory, 0, 100, 70 + i)).isEqualTo(Submission.ACCEPTED);
        }
        assertThat(atLeft.outcomes).isEmpty();
        pair.pollUntil("all are told", () -> atLeft.outcomes.size() == 3);
        assertThat(atRight.messages).hasSize(3);
        assertThat(atLeft.order).containsExactly(70L, 71L, 72L);
        assertThat(atLeft.outcomes.values()).containsOnly(Outcome.SUCCESS);
    }

    @Test
    void shouldAnswerWithBackPressureAndLoseNothingWhenThePeerDoesNotPoll() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofAuto().allocate(1000);
        int accepted = 0;
        Submission answer = pair.left.send(memory, 0, 1000);
        while (answer.isAccepted()) {
            accepted++;
            answer = pair.left.send(memory, 0, 1000);
        }
        assertThat(answer.isBackPressure()).as(answer.toString()).isTrue();
        assertThat(accepted).isBetween(4, 16_384);
        int all = accepted;
        pair.pollUntil("what was accepted is there", () -> atRight.messages.size() == all);
        pair.pollUntil(
                "there is room again", () -> pair.left.send(memory, 0, 1000).isAccepted());
    }

    @Test
    void shouldSendWhatWasWrittenInPlace() throws Exception {
        pair = open();
        OutgoingMessage message = pair.left.claim(50_000);
        message.segment().asSlice(0, 40_000).fill((byte) 7);
        assertThatThrownBy(() -> pair.left.claim(10)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> message.commit(50_001)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(message.commit(40_000, 5)).isEqualTo(Submission.ACCEPTED);
        assertThatThrownBy(message::segment).isInstanceOf(IllegalStateException.class);
        pair.left.claim(10).abort();
        OutgoingMessage small = pair.left.claim(10);
        small.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 8);
        assertThat(small.commit(1)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("both are there", () -> atRight.messages.size() == 2 && atLeft.outcomes.size() == 1);
        assertThat(atRight.messages.get(0)).hasSize(40_000).containsOnly(7);
        assertThat(atRight.messages.get(1)).containsExactly(8);
    }

    @Test
    void shouldLoseNothingWhenASourceCannotBeRead() throws Exception {
        pair = open();
        MemorySegment open = Contents.memory(Contents.bytes(1, 5_000));
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(5_000);
        }
        for (int length : new int[] {0, 8, 64, 2_000, 5_000}) {
            send(pair.left, open.asSlice(0, length));
            if (length > 0) {
                pair.pollUntil("it is refused", () -> isRefused(() -> pair.left.send(closed, 0, length)));
                pair.pollUntil("both are refused", () -> isRefused(() -> pair.left.send(List.of(open, closed), 1)));
            }
            send(pair.left, open.asSlice(0, length));
        }
        pair.pollUntil("all messages are there", () -> atRight.messages.size() == 10);
        assertThat(pair.left.state()).isEqualTo(ChannelState.CONNECTED);
    }

    /** Without credit it is only put off. */
    private static boolean isRefused(Supplier<Submission> sending) {
        try {
            assertThat(sending.get()).isNotEqualTo(Submission.ACCEPTED);
            return false;
        } catch (IllegalStateException expected) {
            return true;
        }
    }

    @Test
    void shouldSendByteBuffersAndMoveTheirPosition() throws Exception {
        pair = open();
        ByteBuffer heap = ByteBuffer.wrap(new byte[] {1, 2, 3, 4}).position(1).limit(3);
        assertThat(pair.left.send(heap)).isEqualTo(Submission.ACCEPTED);
        assertThat(heap.position()).isEqualTo(3);
        pair.pollUntil("it is there", () -> atRight.messages.size() == 1);
        assertThat(atRight.messages.getFirst()).containsExactly(2, 3);
    }

    @Test
    void shouldKeepAMessageThatTheHandlerRetains() throws Exception {
        List<Lease> kept = new ArrayList<>();
        Recorder keeping = new Recorder() {
            @Override
            public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
                super.onMessage(channel, buffer, offset, length);
                kept.add(channel.retainMessage());
            }
        };
        pair = new ChannelPair(setup(), atLeft, keeping);
        int depth = receives(pair.right);
        MemorySegment memory = Contents.memory(Contents.bytes(3, 20_000));
        int[] sent = new int[1];
        pair.pollUntil("the peer has kept as many as it has receives", () -> {
            sent[0] += pair.left.send(memory, sent[0], 100).isAccepted() ? 1 : 0;
            return kept.size() >= depth - 8;
        });
        for (int i = 0; i < kept.size(); i++) {
            byte[] bytes =
                    kept.get(i).segment().asSlice(0, kept.get(i).length()).toArray(ValueLayout.JAVA_BYTE);
            assertThat(bytes).isEqualTo(memory.asSlice(i, 100).toArray(ValueLayout.JAVA_BYTE));
        }
        kept.forEach(Lease::release);
        kept.clear();
        int before = keeping.messages.size();
        pair.pollUntil("messages flow again", () -> {
            pair.left.send(memory, 0, 100);
            return keeping.messages.size() > before + depth / 2;
        });
        assertThatThrownBy(pair.right::retainMessage).isInstanceOf(IllegalStateException.class);
        closeBoth();
        kept.forEach(Lease::release);
    }

    @Test
    void shouldSendSeveralPiecesAsOneMessage() throws Exception {
        pair = open();
        byte[] contents = Contents.bytes(9, 30_000);
        MemorySegment whole = MemorySegment.ofArray(contents);
        for (int cut : new int[] {0, 1, 100, 9_999}) {
            List<MemorySegment> pieces = List.of(
                    whole.asSlice(0, cut), Contents.memory(new byte[0]), whole.asSlice(cut, contents.length - cut));
            pair.pollUntil("it is taken", () -> pair.left.send(pieces, cut).isAccepted());
        }
        pair.pollUntil("all are handled", () -> atLeft.outcomes.size() == 4);
        assertThat(atRight.messages)
                .hasSize(4)
                .allSatisfy(message -> assertThat(message).isEqualTo(contents));
    }

    @Test
    void shouldSendFromOtherThreadsByTheAsynchronousForm() throws Exception {
        pair = open();
        int count = 1_000;
        CompletableFuture<List<CompletableFuture<Void>>> sending = CompletableFuture.supplyAsync(() -> {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                MemorySegment memory = Contents.memory(Contents.bytes(i, i * 20));
                all.add(pair.left.sendAsync(memory).toCompletableFuture());
            }
            return all;
        });
        pair.pollUntil("all are handled", () -> atRight.messages.size() == count && sending.isDone());
        CompletableFuture<Void> all = CompletableFuture.allOf(sending.get().toArray(CompletableFuture[]::new));
        pair.pollUntil("all stages are complete", all::isDone);
        all.get();
        for (int i = 0; i < count; i++) {
            assertThat(atRight.messages.get(i)).isEqualTo(Contents.bytes(i, i * 20));
        }
    }
}

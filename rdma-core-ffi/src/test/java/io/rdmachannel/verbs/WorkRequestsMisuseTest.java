// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of work requests and completions in wrong hands; needs no device. */
class WorkRequestsMisuseTest {
    private static final MemorySegment BYTES = MemorySegment.ofArray(new byte[128]);

    private final SendWorkRequests sends = SendWorkRequests.allocate(2, 2, 32);
    private final ReceiveWorkRequests receives = ReceiveWorkRequests.allocate(2, 2);

    @Test
    void shouldRefuseRowsOutOfRange() {
        new ExpectedFailures()
                .of("no slots", () -> SendWorkRequests.allocate(0, 1, 0))
                .of("negative slots", () -> SendWorkRequests.allocate(-1, 1, 0))
                .of("too many slots", () -> SendWorkRequests.allocate(65_537, 1, 0))
                .of("no elements", () -> SendWorkRequests.allocate(1, 0, 0))
                .of("too many elements", () -> SendWorkRequests.allocate(1, 257, 0))
                .of("negative inline bytes", () -> SendWorkRequests.allocate(1, 1, -1))
                .of("too many inline bytes", () -> SendWorkRequests.allocate(1, 1, Integer.MAX_VALUE))
                .of("no receive slots", () -> ReceiveWorkRequests.allocate(0, 1))
                .of("too many receive slots", () -> ReceiveWorkRequests.allocate(Integer.MAX_VALUE, 1))
                .of("negative receive elements", () -> ReceiveWorkRequests.allocate(1, -1))
                .of("too many receive elements", () -> ReceiveWorkRequests.allocate(1, 257))
                .of("no room", () -> WorkCompletions.ofCapacity(0))
                .of("negative room", () -> WorkCompletions.ofCapacity(-1))
                .of("too much room", () -> WorkCompletions.ofCapacity(Integer.MAX_VALUE))
                .areAll(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseSlotsThatAreNotThere() {
        for (int slot : new int[] {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            new ExpectedFailures()
                    .of("begin", () -> sends.begin(slot, WorkRequestOpcode.SEND, 0, true))
                    .of("flag", () -> sends.flag(slot, SendFlag.FENCE))
                    .of("add", () -> sends.add(slot, 0L, 8, 0))
                    .of("add nothing", () -> sends.add(slot, 0L, 0, 0))
                    .of("inline", () -> sends.inline(slot, BYTES, 0, 8))
                    .of("remote", () -> sends.remote(slot, 0, 0))
                    .of("compareAndSwap", () -> sends.compareAndSwap(slot, 0, 0, 0, 0))
                    .of("fetchAndAdd", () -> sends.fetchAndAdd(slot, 0, 0, 0))
                    .of("immediate", () -> sends.immediate(slot, 0))
                    .of("invalidate", () -> sends.invalidate(slot, 0))
                    .of("receive begin", () -> receives.begin(slot, 0))
                    .of("receive add", () -> receives.add(slot, 0L, 8, 0))
                    .of("receive add nothing", () -> receives.add(slot, 0L, 0, 0))
                    .areAll(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldRefuseNull() {
        new ExpectedFailures()
                .of("opcode", () -> sends.begin(0, null, 0, true))
                .of("flag", () -> sends.flag(0, null))
                .of("region", () -> sends.add(0, null, 0, 8))
                .of("source", () -> sends.inline(0, null, 0, 8))
                .of("destination", () -> sends.destination(0, null, 1, 1))
                .of("binding", () -> sends.bind(0, null))
                .of("receive region", () -> receives.add(0, null, 0, 8))
                .areAll(NullPointerException.class);
    }

    @Test
    void shouldRefuseLengthsOutOfRange() {
        for (long length : new long[] {-1, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE}) {
            new ExpectedFailures()
                    .of("add", () -> sends.add(0, 0L, length, 0))
                    .of("receive add", () -> receives.add(0, 0L, length, 0))
                    .areAll(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> sends.inline(0, BYTES, 0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sends.inline(0, BYTES, 0, 33)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sends.inline(0, BYTES, 120, 16)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> sends.inline(0, BYTES, -8, 16)).isInstanceOf(IndexOutOfBoundsException.class);
        sends.begin(0, WorkRequestOpcode.SEND, 0, true).inline(0, BYTES, 0, 30);
        assertThatThrownBy(() -> sends.inlineMore(0, BYTES, 0, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sends.inlineMore(0, BYTES, 0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sends.inlineMore(0, BYTES, 127, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(RequestShape.inlineLength(sends.shape(0))).isEqualTo(30);
        sends.begin(0, WorkRequestOpcode.SEND, 0, true);
        assertThatThrownBy(() -> sends.inlineMore(0, BYTES, 0, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRefuseMorePiecesThanThereIsRoomFor() {
        sends.begin(0, WorkRequestOpcode.SEND, 0, true).add(0, 1L, 1, 0).add(0, 2L, 1, 0);
        receives.begin(0, 0).add(0, 1L, 1, 0).add(0, 2L, 1, 0);

        assertThatThrownBy(() -> sends.add(0, 3L, 1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> receives.add(0, 3L, 1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(RequestShape.elements(sends.shape(0))).isEqualTo(2);
    }

    @Test
    void shouldKeepInlineBytesAndRegisteredMemoryApart() {
        sends.begin(0, WorkRequestOpcode.SEND, 0, true).add(0, 1L, 1, 0);
        assertThatThrownBy(() -> sends.inline(0, BYTES, 0, 8)).isInstanceOf(IllegalStateException.class);
        sends.begin(0, WorkRequestOpcode.SEND, 0, true).inline(0, BYTES, 0, 8);
        assertThatThrownBy(() -> sends.add(0, 1L, 1, 0)).isInstanceOf(IllegalStateException.class);
        sends.begin(0, WorkRequestOpcode.SEND, 0, true);
        assertThatCode(() -> sends.add(0, 1L, 1, 0)).doesNotThrowAnyException();
    }

    /** The provider would copy from any address that such a piece names, without a look at its key. */
    @Test
    void shouldNotAddMemoryBehindNoInlineBytes() {
        sends.begin(0, WorkRequestOpcode.SEND, 0, true).inline(0, BYTES, 0, 0);

        assertThatThrownBy(() -> sends.add(0, 0x10L, 8, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNotSetTheInlineFlagByItself() {
        assertThatThrownBy(() -> sends.flag(0, SendFlag.INLINE)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseInlineBytesOfAClosedArena() {
        Arena arena = Arena.ofConfined();
        MemorySegment closed = arena.allocate(8);
        arena.close();

        assertThatThrownBy(() -> sends.inline(0, closed, 0, 8)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldHoldNoCompletionsBeforeTheFirstPoll() {
        WorkCompletions room = WorkCompletions.ofCapacity(4);

        assertThat(room.count()).isZero();
        for (int index : new int[] {0, -1, 4, Integer.MAX_VALUE}) {
            new ExpectedFailures()
                    .of("status", () -> room.status(index))
                    .of("opcode", () -> room.opcode(index))
                    .of("workRequestId", () -> room.workRequestId(index))
                    .of("byteLength", () -> room.byteLength(index))
                    .of("flags", () -> room.flags(index))
                    .of("vendorError", () -> room.vendorError(index))
                    .areAll(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldRefuseConfigurationsOutOfRange() {
        new ExpectedFailures()
                .of("no completions", () -> CompletionQueueConfig.ofCapacity(0))
                .of("negative completions", () -> CompletionQueueConfig.ofCapacity(-1))
                .of("negative vector", () -> CompletionQueueConfig.ofCapacity(1).onVector(-1))
                .of("no shared receives", () -> SharedReceiveQueueConfig.of(0, 1))
                .of("no shared elements", () -> SharedReceiveQueueConfig.of(1, 0))
                .of("negative sends", () -> new QueuePairCapabilities(-1, 0, 0, 0, 0))
                .of("negative receives", () -> new QueuePairCapabilities(0, -1, 0, 0, 0))
                .of("negative elements", () -> new QueuePairCapabilities(0, 0, -1, 0, 0))
                .of("negative inline bytes", () -> new QueuePairCapabilities(0, 0, 0, 0, -1))
                .areAll(IllegalArgumentException.class);
        assertThatThrownBy(() -> CompletionQueueConfig.ofCapacity(1).sharedAs(null))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void shouldRefuseChangesOutOfRange() {
        for (int value : List.of(-1, 1 << 24, Integer.MAX_VALUE, Integer.MIN_VALUE)) {
            QueuePairChange change = QueuePairChange.ofAttributes();
            new ExpectedFailures()
                    .of("partitionKeyIndex", () -> change.partitionKeyIndex(value))
                    .of("port", () -> change.port(value))
                    .of("destination", () -> change.destinationQueuePairNumber(value))
                    .of("receive sequence", () -> change.receivePacketSequenceNumber(value))
                    .of("send sequence", () -> change.sendPacketSequenceNumber(value))
                    .of("maxOutstandingReads", () -> change.maxOutstandingReads(value))
                    .of("maxResponderReads", () -> change.maxResponderReads(value))
                    .of("minRnrTimer", () -> change.minRnrTimer(value))
                    .of("timeout", () -> change.timeout(value))
                    .of("retryCount", () -> change.retryCount(value))
                    .of("rnrRetry", () -> change.rnrRetry(value))
                    .areAll(IllegalArgumentException.class);
            assertThat(change.given()).isEmpty();
        }
    }

    @Test
    void shouldRefuseChangesToNothing() {
        QueuePairChange change = QueuePairChange.ofAttributes();
        new ExpectedFailures()
                .of("state", () -> QueuePairChange.to(null))
                .of("access", () -> change.access(null))
                .of("addressVector", () -> change.addressVector(null))
                .of("pathMtu", () -> change.pathMtu(null))
                .areAll(NullPointerException.class);
        assertThat(change.given()).isEmpty();
    }
}

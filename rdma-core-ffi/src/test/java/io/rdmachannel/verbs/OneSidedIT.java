// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RdmaTest
class OneSidedIT {
    private ConnectedPair pair;
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        pair = ConnectedPair.open(PairOptions.usual().regionBytes(2 << 20));
        left = pair.left();
        right = pair.right();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1024, 1025, 4097, 1 << 20})
    void shouldWriteIntoThePeersMemory(int length) {
        left.fill(0, length, 7);
        left.begin(WorkRequestOpcode.RDMA_WRITE, 1)
                .add(0, left.region(), 0, length)
                .remote(0, right.region().address() + 500, right.region().remoteKey());
        left.post();

        assertDone(1, WorkCompletionOpcode.RDMA_WRITE);
        assertThat(right.read(500, length)).isEqualTo(Endpoint.pattern(length, 7));
        assertThat(right.read(500 + length, 8)).containsOnly(0);
        assertThat(Completion.drain(right.completions())).isEmpty();
    }

    @Test
    void shouldWriteInlineBytes() {
        left.begin(WorkRequestOpcode.RDMA_WRITE, 1)
                .inline(0, MemorySegment.ofArray(new byte[] {4, 5, 6}), 1, 2)
                .remote(0, right.region().address(), right.region().remoteKey());
        left.post();

        assertDone(1, WorkCompletionOpcode.RDMA_WRITE);
        assertThat(right.read(0, 3)).containsExactly(5, 6, 0);
    }

    @Test
    void shouldTellThePeerOfAWriteWithImmediate() {
        right.receive(9, 0, 16);
        left.fill(0, 2000, 2);
        left.begin(WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, 1)
                .immediate(0, 0xCAFE_BABE)
                .add(0, left.region(), 0, 2000)
                .remote(0, right.region().address() + 4096, right.region().remoteKey());
        left.post();

        Completion told = right.next();

        assertThat(told.opcode()).isEqualTo(WorkCompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
        assertThat(told.id()).isEqualTo(9);
        assertThat(told.immediate()).contains(0xCAFE_BABE);
        assertThat(told.byteLength()).isEqualTo(2000);
        assertThat(right.read(4096, 2000)).isEqualTo(Endpoint.pattern(2000, 2));
        assertThat(right.read(0, 16)).containsOnly(0);
        assertDone(1, WorkCompletionOpcode.RDMA_WRITE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1024, 1025, 4097, 1 << 20})
    void shouldReadThePeersMemory(int length) {
        right.fill(300, length, 11);
        left.begin(WorkRequestOpcode.RDMA_READ, 1)
                .add(0, left.region(), 100, length)
                .remote(0, right.region().address() + 300, right.region().remoteKey());
        left.post();

        assertDone(1, WorkCompletionOpcode.RDMA_READ);
        assertThat(left.read(100, length)).isEqualTo(Endpoint.pattern(length, 11));
    }

    @Test
    void shouldReadBehindAFenceWhatWasRead() {
        right.fill(0, 64, 1);
        left.sends()
                .begin(0, WorkRequestOpcode.RDMA_READ, 1, true)
                .add(0, left.region(), 0, 64)
                .remote(0, right.region().address(), right.region().remoteKey());
        left.sends()
                .begin(1, WorkRequestOpcode.RDMA_WRITE, 2, true)
                .flag(1, SendFlag.FENCE)
                .add(1, left.region(), 0, 64)
                .remote(1, right.region().address() + 128, right.region().remoteKey());
        assertThat(left.queuePair().postSend(left.sends(), 0, 2)).isEqualTo(PostResult.POSTED);

        assertThat(left.next(2)).extracting(Completion::status).containsOnly(WorkCompletionStatus.SUCCESS);
        assertThat(right.read(128, 64)).isEqualTo(Endpoint.pattern(64, 1));
    }

    @Test
    void shouldSwapWhenTheValueIsTheExpectedOne() {
        right.region().memory().set(ValueLayout.JAVA_LONG, 64, 1234L);

        compareAndSwap(64, 1234L, Long.MIN_VALUE);

        assertThat(left.region().memory().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(1234L);
        assertThat(right.region().memory().get(ValueLayout.JAVA_LONG, 64)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void shouldNotSwapWhenTheValueIsAnother() {
        right.region().memory().set(ValueLayout.JAVA_LONG, 64, -5L);

        compareAndSwap(64, 1234L, 99L);

        assertThat(left.region().memory().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(-5L);
        assertThat(right.region().memory().get(ValueLayout.JAVA_LONG, 64)).isEqualTo(-5L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldAddAndBringTheOldValueBack(long addend) {
        right.region().memory().set(ValueLayout.JAVA_LONG, 0, 0x0102_0304_0506_0708L);
        left.begin(WorkRequestOpcode.ATOMIC_FETCH_AND_ADD, 3)
                .add(0, left.region(), 8, 8)
                .fetchAndAdd(0, right.region().address(), right.region().remoteKey(), addend);
        left.post();

        assertDone(3, WorkCompletionOpcode.FETCH_AND_ADD);
        assertThat(left.region().memory().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(right.region().memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(0x0102_0304_0506_0708L + addend);
    }

    @Test
    void shouldRefuseAMisalignedAtomic() {
        assertThatThrownBy(() -> left.sends().fetchAndAdd(0, right.region().address() + 4, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiple of 8");
        assertThatThrownBy(() -> left.sends().compareAndSwap(0, 1, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void compareAndSwap(long offset, long expected, long replacement) {
        left.begin(WorkRequestOpcode.ATOMIC_COMPARE_AND_SWAP, 2)
                .add(0, left.region(), 8, 8)
                .compareAndSwap(
                        0, right.region().address() + offset, right.region().remoteKey(), expected, replacement);
        left.post();
        assertDone(2, WorkCompletionOpcode.COMPARE_AND_SWAP);
    }

    private void assertDone(long id, WorkCompletionOpcode opcode) {
        Completion done = left.next();
        assertThat(done.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(done.id()).isEqualTo(id);
        assertThat(done.opcode()).isEqualTo(opcode);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.ffi.NativeMemory;
import io.rdmachannel.ffi.generated.ibverbs.ibv_recv_wr;
import io.rdmachannel.ffi.generated.ibverbs.ibv_send_wr;
import io.rdmachannel.ffi.generated.ibverbs.ibv_sge;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** What native code will read of a row of work requests, looked at through jextract's own view of the structures. */
class WorkRequestsTest {
    private final SendWorkRequests sends = SendWorkRequests.allocate(3, 2, 32);
    private final ReceiveWorkRequests receives = ReceiveWorkRequests.allocate(3, 2);

    @Test
    void shouldLinkTheSlotsInTheirOrderAndEndAChainBehindItsLast() {
        WorkRequestMemory memory = sends.memory();
        assertThat(ibv_send_wr.next(send(0)).address()).isEqualTo(memory.address(1));
        assertThat(ibv_send_wr.next(send(2)).address()).isZero();

        memory.cutAfter(1);
        assertThat(ibv_send_wr.next(send(1)).address()).isZero();
        memory.restoreAfter(1);
        assertThat(ibv_send_wr.next(send(1)).address()).isEqualTo(memory.address(2));
    }

    @Test
    void shouldWriteAnRdmaWriteWithImmediateInPlace() {
        sends.begin(1, WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, 0x1234_5678_9ABC_DEF0L, true)
                .add(1, 0x7000L, 100, 5)
                .add(1, 0x8000L, 0xFFFF_FFFFL, 6)
                .remote(1, 0xFFFF_0000_1111_2222L, 0xDEAD)
                .immediate(1, 0x0102_0304);

        MemorySegment request = send(1);
        assertThat(ibv_send_wr.wr_id(request)).isEqualTo(0x1234_5678_9ABC_DEF0L);
        assertThat(ibv_send_wr.num_sge(request)).isEqualTo(2);
        assertThat(ibv_send_wr.send_flags(request)).isEqualTo(SendFlag.SIGNALED.bit());
        assertThat(ibv_send_wr.wr.rdma.remote_addr(ibv_send_wr.wr.rdma(ibv_send_wr.wr(request))))
                .isEqualTo(0xFFFF_0000_1111_2222L);
        assertThat(request.get(ValueLayout.JAVA_BYTE, ibv_send_wr.imm_data$offset()))
                .isEqualTo((byte) 1);
        MemorySegment second = element(1, 1);
        assertThat(ibv_send_wr.sg_list(request).address())
                .isEqualTo(element(1, 0).address());
        assertThat(ibv_sge.addr(second)).isEqualTo(0x8000L);
        assertThat(ibv_sge.length(second)).isEqualTo(-1);
        assertThat(ibv_sge.lkey(second)).isEqualTo(6);
    }

    @Test
    void shouldCopyInlineBytesIntoTheRequestItself() {
        byte[] bytes = {1, 2, 3};
        sends.begin(2, WorkRequestOpcode.SEND, 1, false).inline(2, MemorySegment.ofArray(bytes), 1, 2);
        bytes[1] = 9;

        long address = ibv_sge.addr(element(2, 0)) - sends.memory().memory().address();
        assertThat(sends.memory().memory().asSlice(address, 2).toArray(ValueLayout.JAVA_BYTE))
                .containsExactly(2, 3);
        assertThat(ibv_send_wr.send_flags(send(2))).isEqualTo(SendFlag.INLINE.bit());
    }

    @Test
    void shouldPutMoreInlineBytesBehindTheFirst() {
        sends.begin(2, WorkRequestOpcode.SEND, 1, false)
                .inline(2, MemorySegment.ofArray(new byte[] {1, 2}), 0, 2)
                .inlineMore(2, MemorySegment.ofArray(new byte[] {8, 3, 4}), 1, 2)
                .inlineMore(2, MemorySegment.ofArray(new byte[0]), 0, 0);

        long address = ibv_sge.addr(element(2, 0)) - sends.memory().memory().address();
        assertThat(sends.memory().memory().asSlice(address, 4).toArray(ValueLayout.JAVA_BYTE))
                .containsExactly(1, 2, 3, 4);
        assertThat(ibv_sge.length(element(2, 0))).isEqualTo(4);
        assertThat(ibv_send_wr.num_sge(send(2))).isEqualTo(1);
    }

    @Test
    void shouldLetTheCallerWriteWhatARequestCarries() {
        sends.begin(2, WorkRequestOpcode.RDMA_READ, 7, false)
                .add(2, 0x4000, 16, 5)
                .add(2, 0x8000, 16, 6);

        long address = sends.beginInline(2, WorkRequestOpcode.SEND, 1, true, 6);
        NativeMemory.putInt(address, 0x01020304);
        NativeMemory.putInt(address + 2, 0x05060708);

        assertThat(ibv_send_wr.wr_id(send(2))).isEqualTo(1);
        assertThat(ibv_send_wr.opcode(send(2))).isEqualTo(WorkRequestOpcode.SEND.raw());
        assertThat(ibv_send_wr.num_sge(send(2))).isEqualTo(1);
        assertThat(ibv_send_wr.send_flags(send(2))).isEqualTo(SendFlag.INLINE.bit() | SendFlag.SIGNALED.bit());
        assertThat(ibv_sge.addr(element(2, 0))).isEqualTo(address);
        assertThat(ibv_sge.length(element(2, 0))).isEqualTo(6);
        assertThat(sends.inlineAddress(2)).isEqualTo(address);
        assertThat(NativeMemory.getInt(address + 2)).isEqualTo(0x05060708);
        sends.changeInline(2, 4, MemorySegment.ofArray(new byte[] {9, 9}), 0, 2);
        assertThat(NativeMemory.getInt(address + 2) & 0xFFFF).isEqualTo(0x0708);
        assertThatThrownBy(() -> sends.add(2, 0x4000, 16, 5)).hasMessageContaining("carries inline bytes already");
    }

    @Test
    void shouldRefuseToCarryMoreThanThereIsRoomFor() {
        int room = sends.memory().inlineBytes();
        assertThatThrownBy(() -> sends.beginInline(0, WorkRequestOpcode.SEND, 1, true, room + 1))
                .hasMessageContaining("length");
        assertThatThrownBy(() -> sends.beginInline(0, WorkRequestOpcode.SEND, 1, true, 0))
                .hasMessageContaining("length");
        assertThatThrownBy(() -> sends.beginInline(-1, WorkRequestOpcode.SEND, 1, true, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        sends.begin(0, WorkRequestOpcode.SEND, 1, true);
        assertThatThrownBy(() -> sends.inlineAddress(0)).hasMessageContaining("carries no bytes itself");
    }

    @Test
    void shouldForgetEverythingWhenBegunAgain() {
        sends.begin(0, WorkRequestOpcode.SEND, 1, true)
                .flag(0, SendFlag.FENCE)
                .inline(0, MemorySegment.ofArray(new byte[8]), 0, 8);

        sends.begin(0, WorkRequestOpcode.RDMA_READ, 2, false);

        assertThat(ibv_send_wr.num_sge(send(0))).isZero();
        assertThat(ibv_send_wr.send_flags(send(0))).isZero();
        assertThat(RequestShape.inlineLength(sends.shape(0))).isZero();
    }

    @Test
    void shouldLeaveOutAPieceOfNoBytes() {
        sends.begin(0, WorkRequestOpcode.SEND, 1, true).add(0, 0x1000, 0, 1);
        receives.begin(0, 1).add(0, 0x1000, 0, 1);

        assertThat(ibv_send_wr.num_sge(send(0))).isZero();
        assertThat(ibv_recv_wr.num_sge(receives.memory().memory())).isZero();
    }

    @Test
    void shouldRefuseWhatDoesNotFit() {
        sends.begin(0, WorkRequestOpcode.SEND, 1, true).add(0, 0, 1, 1).add(0, 0, 1, 1);

        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> sends.add(0, 0, 1, 1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> sends.begin(3, WorkRequestOpcode.SEND, 1, true));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> receives.begin(-1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> receives.add(1, 0, 1L << 32, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> receives.add(1, 0, -1, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sends.begin(1, WorkRequestOpcode.SEND, 1, true)
                        .inline(1, MemorySegment.ofArray(new byte[64]), 0, 33));
    }

    @Test
    void shouldRefuseInlineBytesBesideRegisteredMemory() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
        sends.begin(0, WorkRequestOpcode.SEND, 1, true).add(0, 0, 1, 1);
        sends.begin(1, WorkRequestOpcode.SEND, 1, true).inline(1, bytes, 0, 8);

        assertThatIllegalStateException().isThrownBy(() -> sends.inline(0, bytes, 0, 8));
        assertThatIllegalStateException().isThrownBy(() -> sends.add(1, 0, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> sends.flag(0, SendFlag.INLINE));
    }

    @Test
    void shouldRefuseAnAtomicOnAnAddressThatIsNotAligned() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sends.compareAndSwap(0, 0x1001, 1, 0, 1))
                .withMessageContaining("0x1001");
        assertThatIllegalArgumentException().isThrownBy(() -> sends.fetchAndAdd(0, 0x1004, 1, 1));
    }

    @Test
    void shouldRefuseSizesOutOfRange() {
        assertThatIllegalArgumentException().isThrownBy(() -> SendWorkRequests.allocate(0, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> SendWorkRequests.allocate(1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> SendWorkRequests.allocate(1, 1, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> ReceiveWorkRequests.allocate(1 << 17, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> WorkCompletions.ofCapacity(0));
    }

    @Test
    @SuppressWarnings("restricted")
    void shouldNameTheSlotThatTheProviderRefusedAndFallBackWhenItNamesNone() {
        WorkRequestMemory memory = sends.memory();
        MemorySegment bad = MemorySegment.ofAddress(memory.badPointerAddress()).reinterpret(Long.BYTES);

        bad.set(ValueLayout.JAVA_LONG, 0, memory.address(2));
        assertThat(memory.badSlot(0)).isEqualTo(2);
        bad.set(ValueLayout.JAVA_LONG, 0, 0);
        assertThat(memory.badSlot(1)).isEqualTo(1);
    }

    @Test
    void shouldBelongToTheThreadThatUsesItFirst() throws InterruptedException {
        sends.begin(0, WorkRequestOpcode.SEND, 1, true);
        receives.begin(0, 1);

        assertThat(thrownInAnotherThread(() -> sends.begin(1, WorkRequestOpcode.SEND, 1, true)))
                .isInstanceOf(WrongThreadException.class);
        assertThat(thrownInAnotherThread(() -> sends.remote(0, 0, 0))).isInstanceOf(WrongThreadException.class);
        assertThat(thrownInAnotherThread(() -> receives.add(0, 0, 1, 1))).isInstanceOf(WrongThreadException.class);
        assertThat(thrownInAnotherThread(() -> receives.handOver(Thread.currentThread())))
                .isInstanceOf(WrongThreadException.class);
    }

    @Test
    void shouldObeyTheThreadThatItWasHandedTo() throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread newOwner = Thread.ofPlatform().unstarted(() -> thrown[0] = thrownBy(() -> receives.begin(0, 1)));
        receives.begin(0, 1);

        receives.handOver(newOwner);
        assertThatExceptionOfType(WrongThreadException.class).isThrownBy(() -> receives.begin(0, 1));
        newOwner.start();
        newOwner.join();

        assertThat(thrown[0]).isNull();
    }

    @Test
    void shouldBeAnybodysWhenItsOwnerHasEnded() throws InterruptedException {
        assertThat(thrownInAnotherThread(() -> sends.begin(0, WorkRequestOpcode.SEND, 1, true)))
                .isNull();

        sends.begin(0, WorkRequestOpcode.SEND, 2, true);

        assertThat(ibv_send_wr.wr_id(send(0))).isEqualTo(2);
    }

    private static Throwable thrownInAnotherThread(Runnable action) throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread thread = Thread.ofPlatform().start(() -> thrown[0] = thrownBy(action));
        thread.join();
        return thrown[0];
    }

    private static Throwable thrownBy(Runnable action) {
        try {
            action.run();
            return null;
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    private MemorySegment send(int slot) {
        return sends.memory().memory().asSlice(sends.memory().offset(slot), ibv_send_wr.sizeof());
    }

    private MemorySegment element(int slot, int element) {
        return sends.memory().memory().asSlice(sends.memory().elementOffset(slot, element), ibv_sge.sizeof());
    }
}

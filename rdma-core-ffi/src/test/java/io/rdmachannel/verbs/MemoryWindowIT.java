// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RdmaTest
class MemoryWindowIT {
    private static final Set<AccessFlag> WRITE = Set.of(AccessFlag.REMOTE_WRITE);

    private ConnectedPair pair;
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() {
        pair = ConnectedPair.open(PairOptions.usual()
                .regionAccess(Set.of(
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.MEMORY_WINDOW_BIND)));
        left = pair.left();
        right = pair.right();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void shouldWriteThroughABoundWindowOfType1() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        int keyBefore = window.remoteKey();
        bindType1(window, 4096, 256, WRITE);

        assertThat(window.remoteKey()).isNotEqualTo(keyBefore);
        assertThat(write(4096 + 10, 100, window.remoteKey())).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(right.read(4096 + 10, 100)).isEqualTo(Endpoint.pattern(100, 1));
    }

    @Test
    void shouldRefuseAWriteOutsideOfTheRegionThroughAWindow() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        long length = right.region().length();
        bindType1(window, length - 256, 256, WRITE);

        assertThat(write(length - 50, 100, window.remoteKey())).isEqualTo(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
        assertThat(right.read(length - 50, 50)).containsOnly(0);
    }

    @Test
    void shouldRefuseAWriteOutsideOfTheWindowWhereTheDeviceLooks() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        bindType1(window, 4096, 256, WRITE);

        WorkCompletionStatus status = write(4096 + 200, 100, window.remoteKey());

        // Soft-RoCE of Linux 6.1 checks the rights of the window, but the bounds of its region.
        assertThat(status).isIn(WorkCompletionStatus.REMOTE_ACCESS_ERROR, WorkCompletionStatus.SUCCESS);
    }

    @Test
    void shouldRefuseAWriteThroughAWindowForReading() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        bindType1(window, 4096, 256, Set.of(AccessFlag.REMOTE_READ));

        assertThat(write(4096, 100, window.remoteKey())).isEqualTo(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    void shouldWriteThroughABoundWindowOfType2() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_2);
        int key = bindType2(window, 8192, 512);

        assertThat(write(8192, 512, key)).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(right.read(8192, 512)).isEqualTo(Endpoint.pattern(512, 1));
    }

    @Test
    void shouldRefuseAWriteAfterTheWindowWasInvalidated() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_2);
        int key = bindType2(window, 8192, 512);
        right.begin(WorkRequestOpcode.LOCAL_INVALIDATE, 6).invalidate(0, key);
        right.post();
        Completion invalidated = right.next();

        assertThat(invalidated.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(invalidated.opcode()).isEqualTo(WorkCompletionOpcode.LOCAL_INVALIDATE);
        assertThat(write(8192, 16, key)).isEqualTo(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    void shouldLetThePeerInvalidateTheWindow() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_2);
        int key = bindType2(window, 8192, 512);
        right.receive(1, 0, 16);
        left.begin(WorkRequestOpcode.SEND_WITH_INVALIDATE, 2).invalidate(0, key);
        left.post();
        assertThat(left.next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        WorkCompletions room = WorkCompletions.ofCapacity(1);
        Deadline.usual().await("a message", () -> right.completions().poll(room) == 1);

        // Soft-RoCE of Linux 6.1 sets the kernel's bit for this flag, which means IP_CHECKSUM_OK to programs.
        assertThat(room.flags(0)).containsAnyOf(WorkCompletionFlag.WITH_INVALIDATE, WorkCompletionFlag.IP_CHECKSUM_OK);
        assertThat(room.invalidatedKey(0)).isEqualTo(key);
        assertThat(write(8192, 16, key)).isEqualTo(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    void shouldRefuseToBindARegionWithoutTheRight() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        MemoryRegion region = pair.domain()
                .registerMemory(right.region().memory(), Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
        WindowBinding binding = new WindowBinding(window, 0, region, 0, 64, WRITE);

        int result = right.queuePair().bind(binding, 1, true);

        // The provider may refuse at once or by a completion.
        if (result == PostResult.POSTED) {
            assertThat(right.next().status()).isNotEqualTo(WorkCompletionStatus.SUCCESS);
        } else {
            assertThat(PostResult.describe(result)).contains("refused");
        }
    }

    @Test
    void shouldRefuseTheWrongWayOfBinding() {
        MemoryWindow first = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        MemoryWindow second = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_2);

        assertThatThrownBy(() -> right.queuePair().bind(binding(second, 1, 0, 64, WRITE), 1, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("send work request");
        assertThatThrownBy(() -> right.sends().bind(0, binding(first, 1, 0, 64, WRITE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("QueuePair.bind");
    }

    @Test
    void shouldRefuseABindingOutsideOfTheRegionOrOfAnotherDomain() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        MemoryWindow foreign = pair.context().allocateProtectionDomain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        long length = right.region().length();

        assertThatThrownBy(() -> binding(window, 0, length - 8, 16, WRITE))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> binding(window, 0, -1, 16, WRITE)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> binding(foreign, 0, 0, 16, WRITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("protection domains");
    }

    @Test
    void shouldCloseARegionOnlyWhenNoWindowIsBoundToIt() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        bindType1(window, 0, 64, WRITE);

        assertThatThrownBy(right.region()::close)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("window");
        assertThat(write(0, 16, window.remoteKey())).isEqualTo(WorkCompletionStatus.SUCCESS);
        window.close();
        right.region().close();
    }

    @Test
    void shouldCloseAQueuePairSoonAlthoughAWindowIsBoundToIt() {
        MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_2);
        bindType2(window, 8192, 512);
        long start = System.nanoTime();

        right.queuePair().close();

        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
        assertThatThrownBy(window::remoteKey).isInstanceOf(IllegalStateException.class);
        window.close();
    }

    private WindowBinding binding(MemoryWindow window, int key, long offset, long length, Set<AccessFlag> access) {
        return new WindowBinding(window, key, right.region(), offset, length, access);
    }

    private void bindType1(MemoryWindow window, long offset, long length, Set<AccessFlag> access) {
        int result = right.queuePair().bind(binding(window, 0, offset, length, access), 5, true);
        assertThat(PostResult.describe(result)).isEqualTo("posted");
        assertBound(5);
    }

    private int bindType2(MemoryWindow window, long offset, long length) {
        int key = (window.remoteKey() & ~0xFF) | ((window.remoteKey() + 1) & 0xFF);
        right.begin(WorkRequestOpcode.BIND_MEMORY_WINDOW, 5).bind(0, binding(window, key, offset, length, WRITE));
        right.post();
        assertBound(5);
        return key;
    }

    private void assertBound(long id) {
        Completion bound = right.next();
        assertThat(bound.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(bound.id()).isEqualTo(id);
        assertThat(bound.opcode()).isEqualTo(WorkCompletionOpcode.BIND_MEMORY_WINDOW);
    }

    private WorkCompletionStatus write(long offset, int length, int key) {
        left.fill(0, length, 1);
        left.begin(WorkRequestOpcode.RDMA_WRITE, 7)
                .add(0, left.region(), 0, length)
                .remote(0, right.region().address() + offset, key);
        left.post();
        return left.next().status();
    }
}

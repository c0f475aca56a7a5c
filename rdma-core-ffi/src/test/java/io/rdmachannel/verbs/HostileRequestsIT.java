// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.Completion;
import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.testing.RdmaTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Requests that would make a provider follow a wrong pointer, and memory that goes away: the JVM must live. */
@RdmaTest
class HostileRequestsIT {
    private static final PairOptions DATAGRAMS = PairOptions.usual().type(QueuePairType.UNRELIABLE_DATAGRAM);
    private static final Set<AccessFlag> REMOTE = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    @Test
    void shouldRefuseADatagramWithoutADestination() {
        try (ConnectedPair pair = ConnectedPair.open(DATAGRAMS)) {
            SendWorkRequests row = SendWorkRequests.allocate(3, 1, 0);
            assertNoDestination(pair, row, 0, 1);
            row.begin(0, WorkRequestOpcode.SEND, 1, true);
            assertNoDestination(pair, row, 0, 1);
            row.remote(0, 0x1234, 5);
            assertNoDestination(pair, row, 0, 1);
            AddressHandle destination = pair.domain().createAddressHandle(pair.route());
            row.destination(0, destination, 1, 1).destination(2, destination, 1, 1);
            assertNoDestination(pair, row, 0, 3);
            row.begin(0, WorkRequestOpcode.SEND, 1, true);
            assertNoDestination(pair, row, 0, 1);
        }
    }

    @Test
    void shouldRefuseADatagramWhoseDestinationIsClosed() {
        try (ConnectedPair pair = ConnectedPair.open(DATAGRAMS)) {
            AddressHandle closed = pair.domain().createAddressHandle(pair.route());
            AddressHandle open = pair.domain().createAddressHandle(pair.route());
            SendWorkRequests row = SendWorkRequests.allocate(2, 1, 0);
            row.begin(0, WorkRequestOpcode.SEND, 1, true).destination(0, open, 1, 1);
            row.begin(1, WorkRequestOpcode.SEND, 1, true).destination(1, closed, 1, 1);
            closed.close();

            assertThatThrownBy(() -> pair.left().queuePair().postSend(row, 0, 2))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("address handle");
            // Nobody may hold the other one after the refusal, or this would wait.
            open.close();
            assertThat(Completion.drain(pair.left().completions())).isEmpty();
        }
    }

    @Test
    void shouldFollowTheDestinationAlthoughRemoteOverwroteIt() {
        try (ConnectedPair pair = ConnectedPair.open(DATAGRAMS);
                AddressHandle destination = pair.domain().createAddressHandle(pair.route())) {
            pair.left()
                    .begin(WorkRequestOpcode.SEND, 1)
                    .destination(0, destination, pair.right().queuePair().number(), pair.queueKey())
                    .remote(0, 0xDEAD_BEEF_0000L, 77);
            pair.left().post();
            pair.left()
                    .begin(WorkRequestOpcode.SEND, 2)
                    .destination(0, destination, pair.right().queuePair().number(), pair.queueKey())
                    .fetchAndAdd(0, 0xDEAD_BEEF_0000L, 77, -1);
            pair.left().post();

            assertThat(pair.left().next(2)).extracting(Completion::id).containsExactly(1L, 2L);
        }
    }

    @Test
    void shouldSurviveADestinationThatIsClosedRightAfterThePost() {
        try (ConnectedPair pair = ConnectedPair.open(DATAGRAMS)) {
            for (int i = 0; i < 50; i++) {
                try (AddressHandle destination = pair.domain().createAddressHandle(pair.route())) {
                    pair.left()
                            .begin(WorkRequestOpcode.SEND, i)
                            .destination(
                                    0, destination, pair.right().queuePair().number(), pair.queueKey());
                    pair.left().post();
                }
                assertThat(pair.left().next().id()).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldRefuseWorkOtherThanSendsOfDatagrams() {
        Set<WorkRequestOpcode> others = EnumSet.allOf(WorkRequestOpcode.class);
        others.removeAll(Set.of(
                WorkRequestOpcode.SEND, WorkRequestOpcode.SEND_WITH_IMMEDIATE, WorkRequestOpcode.BIND_MEMORY_WINDOW));
        for (WorkRequestOpcode opcode : others) {
            try (ConnectedPair pair = ConnectedPair.open(DATAGRAMS);
                    AddressHandle destination = pair.domain().createAddressHandle(pair.route())) {
                pair.left().begin(opcode, 1).destination(0, destination, 1, 1);
                int result = pair.left().queuePair().postSend(pair.left().sends(), 0);
                if (result == PostResult.POSTED) {
                    assertThat(pair.left().next().status())
                            .as(opcode.name())
                            .isNotEqualTo(WorkCompletionStatus.SUCCESS);
                }
            }
        }
    }

    @Test
    void shouldRefuseToBindWithoutABinding() {
        try (ConnectedPair pair = ConnectedPair.open()) {
            pair.left().begin(WorkRequestOpcode.BIND_MEMORY_WINDOW, 1);
            assertThatThrownBy(
                            () -> pair.left().queuePair().postSend(pair.left().sends(), 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("bind");
            MemoryWindow window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_2);
            pair.left()
                    .begin(WorkRequestOpcode.SEND, 1)
                    .bind(0, new WindowBinding(window, 1, pair.left().region(), 0, 8, Set.of()));
            assertThatThrownBy(
                            () -> pair.left().queuePair().postSend(pair.left().sends(), 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldSurviveAWriteToMemoryWhoseArenaIsClosed() {
        // So large that the allocator maps it by itself: its pages are nobody else's afterwards.
        long bytes = 40L << 20;
        try (ConnectedPair pair = ConnectedPair.open()) {
            Arena arena = Arena.ofShared();
            MemoryRegion region = pair.domain().registerMemory(arena.allocate(bytes, 4096), REMOTE);
            long address = region.address();
            arena.close();
            pair.left()
                    .begin(WorkRequestOpcode.RDMA_WRITE, 1)
                    .add(0, pair.left().region(), 0, 4096)
                    .remote(0, address + 4096, region.remoteKey());
            pair.left().post();

            assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            region.close();
        }
    }

    @Test
    void shouldRefuseMemoryThatIsConfinedToAnotherThread() throws InterruptedException {
        try (ConnectedPair pair = ConnectedPair.open();
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(4096);
            Throwable[] thrown = new Throwable[1];
            Thread thread = Thread.ofPlatform().start(() -> {
                try {
                    pair.domain().registerMemory(memory, REMOTE);
                } catch (Throwable failure) {
                    thrown[0] = failure;
                }
            });
            thread.join(20_000);

            assertThat(thrown[0]).isInstanceOf(WrongThreadException.class);
            // The refusal left nothing behind that close would wait for.
            pair.domain().close();
        }
    }

    @Test
    void shouldKeepPostedMemoryWhileGarbageIsCollected() {
        try (ConnectedPair pair = ConnectedPair.open(PairOptions.usual().completions(256))) {
            for (int round = 0; round < 10; round++) {
                postIntoUnreferencedMemory(pair, round);
                System.gc();
                churn();
                pair.left().fill(0, 4096, round);
                pair.left()
                        .begin(WorkRequestOpcode.SEND, round)
                        .add(0, pair.left().region(), 0, 4096);
                pair.left().post();
                assertThat(pair.right().next().byteLength()).isEqualTo(4096);
                assertThat(pair.left().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            }
        }
    }

    @Test
    void shouldKeepRegisteredMemoryOfAForgottenContext() {
        WeakReference<MemoryRegion> region = forgottenRegion();
        for (int i = 0; i < 5; i++) {
            System.gc();
            churn();
        }

        MemoryRegion kept = region.get();

        assertThat(kept).as("a region that the adapter may still write to").isNotNull();
        kept.protectionDomain().context().close();
    }

    private static WeakReference<MemoryRegion> forgottenRegion() {
        DeviceContext context = RdmaDevice.find().open();
        ProtectionDomain domain = context.allocateProtectionDomain();
        return new WeakReference<>(domain.registerMemory(Arena.ofAuto().allocate(1 << 20), REMOTE));
    }

    /** Neither the row nor the region is referenced by the caller afterwards. */
    private static void postIntoUnreferencedMemory(ConnectedPair pair, long id) {
        MemoryRegion region = pair.domain().registerMemory(Arena.ofAuto().allocate(4096), REMOTE);
        ReceiveWorkRequests row =
                ReceiveWorkRequests.allocate(1, 1).begin(0, id).add(0, region, 0, 4096);
        assertThat(pair.right().queuePair().postReceive(row, 0)).isEqualTo(PostResult.POSTED);
    }

    private static void churn() {
        for (int i = 0; i < 50; i++) {
            Arena.ofAuto().allocate(4096).fill((byte) 0x55);
        }
    }

    private static void assertNoDestination(ConnectedPair pair, SendWorkRequests row, int first, int count) {
        Endpoint left = pair.left();
        assertThatThrownBy(() -> left.queuePair().postSend(row, first, count))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("destination");
    }
}

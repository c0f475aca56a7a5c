// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Null and values out of range on every class; afterwards the pair must still work. */
@RdmaTest
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SAME_THREAD)
class MisuseIT {
    private ConnectedPair pair;
    private Endpoint left;

    @BeforeEach
    void connect() {
        pair = ConnectedPair.open(PairOptions.usual().withChannel());
        left = pair.left();
    }

    @AfterEach
    void shouldStillWork() {
        pair.right().receive(1, 0, 8);
        left.begin(WorkRequestOpcode.SEND, 2);
        left.post();
        assertThat(pair.right().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(left.next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        pair.close();
    }

    @Test
    void shouldRefuseNullForObjectsOfContextAndDomain() {
        DeviceContext context = pair.context();
        ProtectionDomain domain = pair.domain();
        new ExpectedFailures()
                .of("createCompletionQueue", () -> context.createCompletionQueue(null))
                .of("awaitAsyncEvent", () -> context.awaitAsyncEvent(0, null))
                .of("registerMemory, memory", () -> domain.registerMemory(null, Set.of()))
                .of(
                        "registerMemory, rights",
                        () -> domain.registerMemory(left.region().memory(), null))
                .of("allocateMemoryWindow", () -> domain.allocateMemoryWindow(null))
                .of("createQueuePair", () -> domain.createQueuePair(null))
                .of("createSharedReceiveQueue", () -> domain.createSharedReceiveQueue(null))
                .of("createAddressHandle", () -> domain.createAddressHandle(null))
                .of(
                        "config without a queue",
                        () -> QueuePairConfig.of(
                                QueuePairType.RELIABLE_CONNECTION, null, new QueuePairCapabilities(1, 1, 1, 1, 0)))
                .of(
                        "config without a type",
                        () -> QueuePairConfig.of(null, left.completions(), new QueuePairCapabilities(1, 1, 1, 1, 0)))
                .of(
                        "config without sizes",
                        () -> QueuePairConfig.of(QueuePairType.RELIABLE_CONNECTION, left.completions(), null))
                .of(
                        "window without a region",
                        () -> new WindowBinding(
                                domain.allocateMemoryWindow(MemoryWindowType.TYPE_1), 0, null, 0, 8, Set.of()))
                .of("window without a window", () -> new WindowBinding(null, 0, left.region(), 0, 8, Set.of()))
                .areAll(NullPointerException.class);
    }

    @Test
    void shouldRefuseNullOnQueues() {
        SharedReceiveQueue shared = pair.domain().createSharedReceiveQueue(SharedReceiveQueueConfig.of(4, 1));
        new ExpectedFailures()
                .of("poll", () -> left.completions().poll(null))
                .of("completion queue handOver", () -> left.completions().handOver(null))
                .of("await", () -> left.channel().await(0, null))
                .of("postSend", () -> left.queuePair().postSend(null, 0))
                .of("postReceive", () -> left.queuePair().postReceive(null, 0))
                .of("modify", () -> left.queuePair().modify(null))
                .of("bind", () -> left.queuePair().bind(null, 0, true))
                .of("queue pair handOver", () -> left.queuePair().handOver(null))
                .of("shared postReceive", () -> shared.postReceive(null, 0, 1))
                .of("shared handOver", () -> shared.handOver(null))
                .areAll(NullPointerException.class);
    }

    @Test
    void shouldRefuseValuesOutOfRange() {
        DeviceContext context = pair.context();
        new ExpectedFailures()
                .of("port 0", () -> context.port(0))
                .of("gidTable -1", () -> context.gidTable(-1))
                .of("negative event time", () -> context.awaitAsyncEvent(-1, TimeUnit.SECONDS))
                .of("negative wait", () -> left.channel().await(-1, TimeUnit.SECONDS))
                .of("resize 0", () -> left.completions().resize(0))
                .of("resize -1", () -> left.completions().resize(-1))
                .of("send nothing", () -> left.queuePair().postSend(left.sends(), 0, 0))
                .of("receive nothing", () -> left.queuePair().postReceive(left.receives(), 0, 0))
                .areAll(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseSlotsThatTheRowDoesNotHave() {
        int slots = left.sends().slots();
        for (int[] run : new int[][] {
            {-1, 1}, {0, -1}, {slots, 1}, {0, slots + 1}, {1, slots}, {Integer.MAX_VALUE, Integer.MAX_VALUE}, {1, -1}
        }) {
            new ExpectedFailures()
                    .of("send " + Arrays.toString(run), () -> left.queuePair().postSend(left.sends(), run[0], run[1]))
                    .of(
                            "receive " + Arrays.toString(run),
                            () -> left.queuePair().postReceive(left.receives(), run[0], run[1]))
                    .areAll(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldRefusePiecesOutsideOfTheRegion() {
        long length = left.region().length();
        left.begin(WorkRequestOpcode.SEND, 1);
        left.receives().begin(0, 1);
        for (long[] piece : new long[][] {{-1, 8}, {length, 1}, {0, length + 1}, {length - 4, 8}, {0, -1}}) {
            new ExpectedFailures()
                    .of("send " + Arrays.toString(piece), () -> left.sends().add(0, left.region(), piece[0], piece[1]))
                    .of(
                            "receive " + Arrays.toString(piece),
                            () -> left.receives().add(0, left.region(), piece[0], piece[1]))
                    .areAll(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldNameTheLimitsOfAQueuePairThatIsTooLarge() {
        DeviceAttributes.QueueLimits limits = pair.context().attributes().queueLimits();
        assertTooLarge(new QueuePairCapabilities(limits.maxWorkRequests() + 1, 1, 1, 1, 0), limits.maxWorkRequests());
        assertTooLarge(new QueuePairCapabilities(1, limits.maxWorkRequests() + 1, 1, 1, 0), limits.maxWorkRequests());
        assertTooLarge(new QueuePairCapabilities(1, 1, limits.maxScatterGather() + 1, 1, 0), limits.maxScatterGather());
        assertTooLarge(new QueuePairCapabilities(1, 1, 1, limits.maxScatterGather() + 1, 0), limits.maxScatterGather());
        assertTooLarge(new QueuePairCapabilities(1, 1, 1, 1, Integer.MAX_VALUE), Integer.MAX_VALUE);
        int most = Integer.MAX_VALUE;
        assertTooLarge(new QueuePairCapabilities(most, most, most, most, most), limits.maxWorkRequests());
    }

    @Test
    void shouldRefuseACompletionVectorThatIsNotThere() {
        for (int vector : new int[] {100_000, Integer.MAX_VALUE}) {
            CompletionQueueConfig config = CompletionQueueConfig.ofCapacity(8).onVector(vector);
            assertThatThrownBy(() -> pair.context().createCompletionQueue(config))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("vector " + vector);
        }
        assertThatThrownBy(
                        () -> pair.context().createCompletionQueue(CompletionQueueConfig.ofCapacity(Integer.MAX_VALUE)))
                .isInstanceOf(VerbsException.class);
    }

    @Test
    void shouldRefuseQueuesOfAnotherContextOrDomain() {
        try (DeviceContext other = pair.device().open()) {
            CompletionQueue foreign = other.createCompletionQueue(CompletionQueueConfig.ofCapacity(8));
            QueuePairCapabilities sizes = new QueuePairCapabilities(1, 1, 1, 1, 0);
            SharedReceiveQueue foreignReceives = pair.context()
                    .allocateProtectionDomain()
                    .createSharedReceiveQueue(SharedReceiveQueueConfig.of(4, 1));
            QueuePairConfig own = QueuePairConfig.of(QueuePairType.RELIABLE_CONNECTION, left.completions(), sizes);
            new ExpectedFailures()
                    .of(
                            "send queue",
                            () -> pair.domain()
                                    .createQueuePair(
                                            QueuePairConfig.of(QueuePairType.RELIABLE_CONNECTION, foreign, sizes)))
                    .of("receive queue", () -> pair.domain().createQueuePair(own.receivingOn(foreign)))
                    .of("shared queue", () -> pair.domain().createQueuePair(own.takingReceivesFrom(foreignReceives)))
                    .areAll(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseToHandOverWhatAllShare() {
        SharedReceiveQueue shared = pair.domain().createSharedReceiveQueue(SharedReceiveQueueConfig.of(4, 1));
        new ExpectedFailures()
                .of("queue pair", () -> left.queuePair().handOver(Thread.currentThread()))
                .of("completion queue", () -> left.completions().handOver(Thread.currentThread()))
                .of("shared receive queue", () -> shared.handOver(Thread.currentThread()))
                .areAll(IllegalStateException.class);
    }

    private void assertTooLarge(QueuePairCapabilities sizes, int named) {
        assertThatThrownBy(() -> pair.domain()
                        .createQueuePair(
                                QueuePairConfig.of(QueuePairType.RELIABLE_CONNECTION, left.completions(), sizes)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(Integer.toString(named));
    }
}

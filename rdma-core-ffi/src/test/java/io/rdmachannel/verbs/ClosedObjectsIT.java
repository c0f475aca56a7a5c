// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.Endpoint;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every call on closed objects, closed by themselves or with a parent, and closing in odd orders. */
@RdmaTest
class ClosedObjectsIT {
    private ConnectedPair pair;
    private Endpoint left;
    private SharedReceiveQueue shared;
    private MemoryWindow window;
    private AddressHandle destination;

    @BeforeEach
    void connect() {
        pair = ConnectedPair.open(PairOptions.usual().withChannel());
        left = pair.left();
        shared = pair.domain().createSharedReceiveQueue(SharedReceiveQueueConfig.of(4, 1));
        window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        destination = pair.domain().createAddressHandle(pair.route());
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void shouldRefuseAClosedQueuePair() {
        left.queuePair().close();

        assertQueuePairRefuses();
        assertThat(left.queuePair().number()).isPositive();
        assertThat(left.queuePair().toString()).contains("queue pair");
    }

    @Test
    void shouldRefuseAClosedCompletionQueue() {
        left.completions().close();

        assertCompletionQueueRefuses();
        assertQueuePairRefuses();
    }

    @Test
    void shouldRefuseAClosedCompletionChannel() {
        left.channel().close();

        assertChannelRefuses();
        assertCompletionQueueRefuses();
        assertQueuePairRefuses();
    }

    @Test
    void shouldRefuseAClosedSharedReceiveQueue() {
        shared.close();

        assertSharedReceiveQueueRefuses();
    }

    @Test
    void shouldRefuseAClosedDomain() {
        pair.domain().close();

        assertDomainRefuses();
        assertQueuePairRefuses();
        assertSharedReceiveQueueRefuses();
        assertThatThrownBy(window::remoteKey).isInstanceOf(IllegalStateException.class);
        assertThat(left.completions().poll(WorkCompletions.ofCapacity(1))).isZero();
    }

    @Test
    void shouldRefuseAClosedContextAndAllThatWasMadeInIt() {
        pair.context().close();

        assertContextRefuses();
        assertDomainRefuses();
        assertChannelRefuses();
        assertCompletionQueueRefuses();
        assertQueuePairRefuses();
        assertSharedReceiveQueueRefuses();
    }

    @Test
    void shouldRefuseToMakeThingsWithClosedParts() {
        QueuePairCapabilities sizes = new QueuePairCapabilities(1, 1, 1, 1, 0);
        QueuePairConfig config = QueuePairConfig.of(
                QueuePairType.RELIABLE_CONNECTION, pair.right().completions(), sizes);
        CompletionQueueConfig onChannel = CompletionQueueConfig.ofCapacity(4).on(left.channel());
        left.channel().close();
        shared.close();

        new ExpectedFailures()
                .of("queue on a closed channel", () -> pair.context().createCompletionQueue(onChannel))
                .of(
                        "receives of a closed queue",
                        () -> pair.domain().createQueuePair(config.takingReceivesFrom(shared)))
                .of(
                        "receives told on a closed queue",
                        () -> pair.domain().createQueuePair(config.receivingOn(left.completions())))
                .areAll(IllegalStateException.class);
    }

    @Test
    void shouldRefuseABindingOfAClosedWindowOrRegion() {
        MemoryRegion region = pair.domain()
                .registerMemory(left.region().memory(), Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND));
        MemoryWindow second = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_2);
        WindowBinding first = new WindowBinding(window, 0, region, 0, 64, Set.of());
        left.begin(WorkRequestOpcode.BIND_MEMORY_WINDOW, 1)
                .bind(0, new WindowBinding(second, second.remoteKey() + 1, region, 0, 64, Set.of()));
        region.close();
        assertThatThrownBy(() -> left.queuePair().bind(first, 1, true)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> left.queuePair().postSend(left.sends(), 0)).isInstanceOf(IllegalStateException.class);
        window.close();
        second.close();
        assertThatThrownBy(() -> left.queuePair().bind(first, 1, true)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> left.queuePair().postSend(left.sends(), 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldCloseEverythingTwiceInAnOddOrder() {
        List<AutoCloseable> all = new ArrayList<>(List.of(
                pair.domain(),
                left.channel(),
                left.region(),
                destination,
                shared,
                window,
                left.completions(),
                left.queuePair(),
                pair.context(),
                pair.domain(),
                left.region()));
        all.addAll(all.reversed());

        assertThatCode(() -> {
                    for (AutoCloseable each : all) {
                        each.close();
                    }
                })
                .doesNotThrowAnyException();
    }

    @Test
    void shouldCloseFromManyThreadsAtOnce() {
        for (int round = 0; round < 20; round++) {
            try (ConnectedPair each = ConnectedPair.open(PairOptions.usual().withChannel())) {
                closeAtOnce(List.of(
                        each.left().queuePair(),
                        each.left().completions(),
                        each.left().channel(),
                        each.domain(),
                        each.context(),
                        each.left().region(),
                        each.context(),
                        each.domain(),
                        each.left().queuePair(),
                        each.right().channel()));
                assertThatThrownBy(each.context()::attributes).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    private static void closeAtOnce(List<AutoCloseable> all) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (AutoCloseable each : all) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    each.close();
                } catch (Throwable thrown) {
                    failure.set(thrown);
                }
            }));
        }
        Deadline deadline = Deadline.usual();
        threads.forEach(deadline::awaitEnd);
        assertThat(failure.get()).isNull();
    }

    private void assertContextRefuses() {
        DeviceContext context = pair.context();
        new ExpectedFailures()
                .of("attributes", context::attributes)
                .of("port", () -> context.port(1))
                .of("gidTable", () -> context.gidTable(1))
                .of("allocateProtectionDomain", context::allocateProtectionDomain)
                .of("createCompletionChannel", context::createCompletionChannel)
                .of("createCompletionQueue", () -> context.createCompletionQueue(CompletionQueueConfig.ofCapacity(1)))
                .of("awaitAsyncEvent", () -> context.awaitAsyncEvent(0, TimeUnit.SECONDS))
                .areAll(IllegalStateException.class);
    }

    private void assertDomainRefuses() {
        ProtectionDomain domain = pair.domain();
        QueuePairConfig config = QueuePairConfig.of(
                QueuePairType.RELIABLE_CONNECTION,
                pair.right().completions(),
                new QueuePairCapabilities(1, 1, 1, 1, 0));
        new ExpectedFailures()
                .of("registerMemory", () -> domain.registerMemory(left.region().memory(), Set.of()))
                .of("allocateMemoryWindow", () -> domain.allocateMemoryWindow(MemoryWindowType.TYPE_1))
                .of("createQueuePair", () -> domain.createQueuePair(config))
                .of(
                        "createSharedReceiveQueue",
                        () -> domain.createSharedReceiveQueue(SharedReceiveQueueConfig.of(1, 1)))
                .of("createAddressHandle", () -> domain.createAddressHandle(pair.route()))
                .areAll(IllegalStateException.class);
    }

    private void assertChannelRefuses() {
        new ExpectedFailures()
                .of("await", () -> left.channel().await(0, TimeUnit.SECONDS))
                .of("wakeUp", () -> left.channel().wakeUp())
                .areAll(IllegalStateException.class);
    }

    private void assertCompletionQueueRefuses() {
        CompletionQueue queue = left.completions();
        new ExpectedFailures()
                .of("poll", () -> queue.poll(WorkCompletions.ofCapacity(1)))
                .of("requestNotification", () -> queue.requestNotification(false))
                .of("resize", () -> queue.resize(100))
                .of("capacity", queue::capacity)
                .of("handOver", () -> queue.handOver(Thread.currentThread()))
                .areAll(IllegalStateException.class);
    }

    private void assertQueuePairRefuses() {
        QueuePair queuePair = left.queuePair();
        left.begin(WorkRequestOpcode.SEND, 1);
        left.receives().begin(0, 1);
        WindowBinding binding = new WindowBinding(window, 0, left.region(), 0, 8, Set.of());
        new ExpectedFailures()
                .of("postSend", () -> queuePair.postSend(left.sends(), 0))
                .of("postReceive", () -> queuePair.postReceive(left.receives(), 0))
                .of("modify", () -> queuePair.modify(QueuePairChange.to(QueuePairState.RESET)))
                .of("moveToError", queuePair::moveToError)
                .of("bind", () -> queuePair.bind(binding, 1, true))
                .of("query", queuePair::query)
                .of("handOver", () -> queuePair.handOver(Thread.currentThread()))
                .areAll(IllegalStateException.class);
    }

    private void assertSharedReceiveQueueRefuses() {
        left.receives().begin(0, 1);
        new ExpectedFailures()
                .of("postReceive", () -> shared.postReceive(left.receives(), 0, 1))
                .of("armLimit", () -> shared.armLimit(1))
                .of("armedLimit", shared::armedLimit)
                .of("handOver", () -> shared.handOver(Thread.currentThread()))
                .areAll(IllegalStateException.class);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All in one thread, which owns the queues. */
@RdmaTest
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SAME_THREAD)
class ConfinedQueuesIT {
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    private ConnectedPair pair;
    private CompletionQueue queue;
    private SharedReceiveQueue shared;
    private QueuePair queuePair;

    @BeforeEach
    void open() {
        pair = ConnectedPair.open(PairOptions.usual().withChannel());
        queue = pair.context()
                .createCompletionQueue(CompletionQueueConfig.ofCapacity(16)
                        .on(pair.left().channel())
                        .sharedAs(ThreadSharing.CONFINED));
        shared = pair.domain().createSharedReceiveQueue(new SharedReceiveQueueConfig(4, 1, ThreadSharing.CONFINED));
        queuePair = pair.domain()
                .createQueuePair(QueuePairConfig.of(
                                QueuePairType.RELIABLE_CONNECTION, queue, new QueuePairCapabilities(4, 4, 1, 1, 16))
                        .sharedAs(ThreadSharing.CONFINED));
    }

    @AfterEach
    void close() {
        other.shutdownNow();
        pair.close();
    }

    @Test
    void shouldRefuseAnotherThread() {
        WindowBinding binding = new WindowBinding(
                pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1),
                0,
                pair.left().region(),
                0,
                8,
                Set.of());
        new ExpectedFailures()
                .of("poll", elsewhere(() -> queue.poll(WorkCompletions.ofCapacity(1))))
                .of("requestNotification", elsewhere(() -> queue.requestNotification(false)))
                .of("resize", elsewhere(() -> queue.resize(100)))
                .of("queue handOver", elsewhere(() -> queue.handOver(Thread.currentThread())))
                .of("queue close", elsewhere(queue::close))
                .of("postSend", elsewhere(() -> queuePair.postSend(pair.left().sends(), 0)))
                .of(
                        "postReceive",
                        elsewhere(() -> queuePair.postReceive(pair.left().receives(), 0)))
                .of("modify", elsewhere(queuePair::moveToError))
                .of("bind", elsewhere(() -> queuePair.bind(binding, 1, true)))
                .of("queue pair handOver", elsewhere(() -> queuePair.handOver(Thread.currentThread())))
                .of("queue pair close", elsewhere(queuePair::close))
                .of(
                        "shared postReceive",
                        elsewhere(() -> shared.postReceive(pair.left().receives(), 0, 1)))
                .of("armLimit", elsewhere(() -> shared.armLimit(1)))
                .of("shared handOver", elsewhere(() -> shared.handOver(Thread.currentThread())))
                .of("shared close", elsewhere(shared::close))
                .areAll(WrongThreadException.class);
        assertUsable();
    }

    @Test
    void shouldNameBothThreads() {
        assertThatThrownBy(elsewhere(queuePair::moveToError))
                .hasMessageContaining(Thread.currentThread().getName())
                .hasMessageContaining("pool-");
    }

    @Test
    void shouldLetAnyThreadAskForAttributes() throws Throwable {
        elsewhere(() -> assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RESET))
                .call();
        elsewhere(() -> assertThat(queue.capacity()).isGreaterThanOrEqualTo(16)).call();
        elsewhere(() -> assertThat(shared.armedLimit()).isZero()).call();
    }

    @Test
    void shouldCloseNothingWhenAChildBelongsToALivingThread() {
        new ExpectedFailures()
                .of("context", elsewhere(pair.context()::close))
                .of("domain", elsewhere(pair.domain()::close))
                .of("channel", elsewhere(pair.left().channel()::close))
                .areAll(WrongThreadException.class);
        assertUsable();
        assertThat(pair.left().queuePair().query().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        pair.right().receive(1, 0, 8);
        pair.left().begin(WorkRequestOpcode.SEND, 2);
        pair.left().post();
        assertThat(pair.right().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
    }

    @Test
    void shouldWorkForTheThreadThatItWasHandedTo() throws Throwable {
        Thread[] receiver = new Thread[1];
        elsewhere(() -> receiver[0] = Thread.currentThread()).call();
        queue.handOver(receiver[0]);
        queuePair.handOver(receiver[0]);
        shared.handOver(receiver[0]);

        new ExpectedFailures()
                .of("poll", () -> queue.poll(WorkCompletions.ofCapacity(1)))
                .of("modify", queuePair::moveToError)
                .of("armLimit", () -> shared.armLimit(1))
                .of("handOver back", () -> queue.handOver(Thread.currentThread()))
                .of("close", queue::close)
                .of("close of the context", pair.context()::close)
                .areAll(WrongThreadException.class);
        elsewhere(this::assertUsable).call();
        elsewhere(() -> {
                    queuePair.close();
                    queue.close();
                    shared.close();
                })
                .call();
    }

    @Test
    void shouldBeClosedByAnybodyWhenItsThreadHasEnded() {
        CountDownLatch handed = new CountDownLatch(1);
        Thread owner = Thread.ofPlatform().start(() -> {
            try {
                handed.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        queue.handOver(owner);
        queuePair.handOver(owner);
        assertThatThrownBy(queuePair::close).isInstanceOf(WrongThreadException.class);
        handed.countDown();
        Deadline.usual().awaitEnd(owner);

        assertThatThrownBy(() -> queue.poll(WorkCompletions.ofCapacity(1))).isInstanceOf(WrongThreadException.class);
        queuePair.close();
        queue.close();
    }

    @Test
    void shouldRefuseItsOwnerAfterClose() {
        queuePair.close();
        queue.close();
        shared.close();

        new ExpectedFailures()
                .of("poll", () -> queue.poll(WorkCompletions.ofCapacity(1)))
                .of("postSend", () -> queuePair.postSend(pair.left().sends(), 0))
                .of("modify", queuePair::moveToError)
                .of("armLimit", () -> shared.armLimit(1))
                .of("handOver", () -> queue.handOver(Thread.currentThread()))
                .areAll(IllegalStateException.class);
        queue.close();
    }

    private void assertUsable() {
        assertThat(queue.poll(WorkCompletions.ofCapacity(1))).isZero();
        queue.requestNotification(false);
        shared.armLimit(1);
        queuePair.modify(pair.toInit(queuePair.type()));
        queuePair.modify(QueuePairChange.to(QueuePairState.RESET));
    }

    /** The call, made by the other thread, with what it throws. */
    private ThrowingCallable elsewhere(ThrowingCallable call) {
        return () -> {
            Throwable[] thrown = new Throwable[1];
            other.submit(() -> {
                        try {
                            call.call();
                        } catch (Throwable failure) {
                            thrown[0] = failure;
                        }
                    })
                    .get(20, TimeUnit.SECONDS);
            if (thrown[0] != null) {
                throw thrown[0];
            }
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.testing.ConnectedPair;
import io.rdmachannel.testing.PairOptions;
import io.rdmachannel.testing.RdmaTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that post and poll on shared objects while another thread closes them. */
@RdmaTest
class CloseRacesIT {
    private static final int ROUNDS = 200;
    private static final int THREADS = 16;
    private static final long PAUSE_NANOS = 10_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void shouldEndEveryCallCleanlyWhenSomethingIsClosedUnderneath() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            PairOptions options =
                    round % 2 == 0 ? PairOptions.usual() : PairOptions.usual().type(QueuePairType.UNRELIABLE_DATAGRAM);
            try (ConnectedPair pair = ConnectedPair.open(options.withChannel())) {
                CountDownLatch running = new CountDownLatch(THREADS);
                List<Future<Integer>> callers = new ArrayList<>();
                AddressHandle destination = pair.domain().createAddressHandle(pair.route());
                for (int i = 0; i < THREADS; i++) {
                    Caller caller = new Caller(pair, destination, i);
                    callers.add(threads.submit(() -> caller.callUntilClosed(running)));
                }
                assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
                target(pair, round % 5).close();
                awaitAll(callers);
            }
        }
    }

    private static AutoCloseable target(ConnectedPair pair, int which) {
        return switch (which) {
            case 0 -> pair.left().queuePair();
            case 1 -> pair.left().completions();
            case 2 -> pair.left().channel();
            case 3 -> pair.domain();
            default -> pair.context();
        };
    }

    private static void awaitAll(List<Future<Integer>> callers)
            throws InterruptedException, ExecutionException, TimeoutException {
        for (Future<Integer> caller : callers) {
            assertThat(caller.get(30, TimeUnit.SECONDS)).isPositive();
        }
    }

    /** One thread's calls, with rows of its own, which no two threads may share. */
    private static final class Caller {
        private final ConnectedPair pair;
        private final int kind;
        private final SendWorkRequests sends = SendWorkRequests.allocate(2, 1, 8);
        private final ReceiveWorkRequests receives = ReceiveWorkRequests.allocate(2, 1);
        private final WorkCompletions room = WorkCompletions.ofCapacity(8);
        private final MemoryWindow window;
        private final AddressHandle destination;

        Caller(ConnectedPair pair, AddressHandle destination, int number) {
            this.pair = pair;
            this.destination = destination;
            this.kind = number % 4;
            this.window = pair.domain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
        }

        /** In the thread that will post: a row belongs to the one that uses it first. */
        private void fillRows() {
            for (int slot = 0; slot < 2; slot++) {
                sends.begin(slot, WorkRequestOpcode.SEND, kind, slot == 1)
                        .add(slot, pair.left().region(), 0, 8);
                receives.begin(slot, kind).add(slot, pair.left().region(), 64, 8);
                if (pair.left().queuePair().type() == QueuePairType.UNRELIABLE_DATAGRAM) {
                    sends.destination(
                            slot, destination, pair.right().queuePair().number(), pair.queueKey());
                }
            }
        }

        /** Returns the number of calls that were made. */
        int callUntilClosed(CountDownLatch running) {
            int calls = 0;
            fillRows();
            try {
                while (true) {
                    call();
                    // With two processors, sixteen that never rest would leave the closing thread no turn.
                    LockSupport.parkNanos(PAUSE_NANOS);
                    if (++calls == 1) {
                        running.countDown();
                    }
                }
            } catch (IllegalStateException expected) {
                return calls;
            }
        }

        private void call() {
            QueuePair queuePair = pair.left().queuePair();
            queuePair.postSend(sends, 0, 2);
            switch (kind) {
                case 0 -> queuePair.postReceive(receives, 0, 2);
                case 1 -> pair.left().completions().poll(room);
                case 2 -> queuePair.query();
                default -> pair.left().completions().requestNotification(false);
            }
            if (kind == 3) {
                pair.left().channel().await(0, TimeUnit.SECONDS);
                window.remoteKey();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.rdmachannel.cm.Ends.Peer;
import io.rdmachannel.testing.ConnectionManagerTest;
import io.rdmachannel.testing.Deadline;
import io.rdmachannel.verbs.QueuePairState;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@ConnectionManagerTest
class ClosingIT {
    private Ends ends;

    @BeforeEach
    void open() {
        ends = new Ends();
    }

    @AfterEach
    void close() {
        ends.close();
    }

    @Test
    void shouldCloseWhileTheAddressIsBeingResolved() {
        ConnectionId listener = ends.listen();
        ConnectionId client = ends.clientEvents().createId(PortSpace.TCP);
        client.resolveAddress(null, listener.localAddress().orElseThrow(), 10, TimeUnit.SECONDS);

        client.close();

        assertNothingComes(ends.clientEvents());
    }

    @Test
    void shouldCloseWithEventsThatNobodyHasTaken() {
        ConnectionId listener = ends.listen();
        Peer client = ends.request(listener);
        ConnectionEvent request = Ends.next(ends.serverEvents(), ConnectionEventType.CONNECT_REQUEST);
        ends.accept(request);

        client.id().close();
        request.id().close();
        listener.close();
        assertThat(client.id().channel()).isSameAs(ends.clientEvents());
        assertNothingComes(ends.clientEvents());
    }

    @Test
    void shouldCloseAListenerWithARequestThatNobodyHasTaken() {
        ConnectionId listener = ends.listen();
        ends.request(listener);

        listener.close();

        assertThat(Ends.next(ends.clientEvents()).type()).isEqualTo(ConnectionEventType.REJECTED);
    }

    @Test
    void shouldRejectWhenARequestIsClosedUnanswered() {
        ends.request(ends.listen());
        Ends.next(ends.serverEvents(), ConnectionEventType.CONNECT_REQUEST).id().close();

        assertThat(Ends.next(ends.clientEvents()).type()).isEqualTo(ConnectionEventType.REJECTED);
    }

    @Test
    void shouldTellTheServerWhenTheClientClosesInTheMiddleOfConnecting() {
        Peer client = ends.request(ends.listen());
        ConnectionEvent request = Ends.next(ends.serverEvents(), ConnectionEventType.CONNECT_REQUEST);
        ends.accept(request);
        Ends.next(ends.clientEvents(), ConnectionEventType.CONNECT_RESPONSE);

        client.id().close();

        assertThat(Ends.next(ends.serverEvents()).type())
                .isIn(
                        ConnectionEventType.REJECTED,
                        ConnectionEventType.CONNECT_ERROR,
                        ConnectionEventType.UNREACHABLE,
                        ConnectionEventType.DISCONNECTED);
    }

    @Test
    void shouldCloseAllIdentifiersWithTheChannel() {
        ConnectionId listener = ends.listen();
        Peer client = ends.request(listener);

        ends.clientEvents().close();
        ends.serverEvents().close();

        assertThatIllegalStateException().isThrownBy(listener::localAddress).withMessageContaining("is closed");
        assertThatIllegalStateException().isThrownBy(client.id()::disconnect).withMessageContaining("is closed");
    }

    @Test
    void shouldCloseTwiceWithoutHarm() {
        ConnectionId id = ends.clientEvents().createId(PortSpace.TCP);

        id.close();
        id.close();
        ends.clientEvents().close();
        ends.clientEvents().close();
    }

    @Test
    void shouldEndAWaitOfAnotherThreadWhenTheChannelIsClosed() {
        AtomicReference<Object> outcome = new AtomicReference<>();
        Thread waiter = waitInAnotherThread(outcome);

        ends.clientEvents().close();

        Deadline.usual().awaitEnd(waiter);
        assertThat(outcome.get()).isIn("null", "closed");
    }

    @Test
    void shouldEndAWaitOfAnotherThreadWhenWokenUp() {
        AtomicReference<Object> outcome = new AtomicReference<>();
        Thread waiter = waitInAnotherThread(outcome);

        ends.clientEvents().wakeUp();

        Deadline.usual().awaitEnd(waiter);
        assertThat(outcome.get()).isEqualTo("null");
    }

    @Test
    @Timeout(value = 100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldCloseIdentifiersWhileAnotherThreadTakesTheirEvents() {
        ConnectionId listener = ends.listen();
        Thread taker = Thread.ofPlatform().name("taker").start(() -> takeUntilClosed(ends.clientEvents()));
        for (int round = 0; round < 30; round++) {
            ConnectionId id = ends.clientEvents().createId(PortSpace.TCP);
            id.resolveAddress(null, listener.localAddress().orElseThrow(), 10, TimeUnit.SECONDS);
            id.close();
        }

        ends.clientEvents().close();

        Deadline.usual().awaitEnd(taker);
    }

    @Test
    void shouldAnswerOtherThreadsWithAnExceptionWhileItIsClosed() {
        for (int round = 0; round < 20; round++) {
            ConnectionId id = ends.listen();
            AtomicReference<Throwable> outcome = new AtomicReference<>();
            Thread user = Thread.ofPlatform().name("user").start(() -> useUntilRefused(id, outcome));

            id.close();

            Deadline.usual().awaitEnd(user);
            assertThat(outcome.get()).isInstanceOf(IllegalStateException.class);
        }
    }

    private static void useUntilRefused(ConnectionId id, AtomicReference<Throwable> outcome) {
        try {
            while (true) {
                id.localAddress();
                id.devicePort();
                id.queuePairChange(QueuePairState.INIT);
            }
        } catch (RuntimeException refused) {
            outcome.set(refused);
        }
    }

    private Thread waitInAnotherThread(AtomicReference<Object> outcome) {
        Thread waiter = Thread.ofPlatform().name("waiter").start(() -> {
            try {
                outcome.set(String.valueOf(ends.clientEvents().await(60, TimeUnit.SECONDS)));
            } catch (IllegalStateException closed) {
                outcome.set("closed");
            }
        });
        Deadline.usual().await("the wait", () -> isInNativeWait(waiter));
        return waiter;
    }

    /** A thread in poll(2) looks runnable; what tells is the frame that called it. */
    private static boolean isInNativeWait(Thread waiter) {
        for (StackTraceElement frame : waiter.getStackTrace()) {
            if (frame.getClassName().endsWith(".EventWait")) {
                return true;
            }
        }
        return false;
    }

    private static void takeUntilClosed(EventChannel events) {
        try {
            while (true) {
                events.await(1, TimeUnit.SECONDS);
            }
        } catch (IllegalStateException expected) {
            // The channel has been closed, which is how this ends.
        }
    }

    private static void assertNothingComes(EventChannel events) {
        assertThat(events.await(50, TimeUnit.MILLISECONDS)).isNull();
    }
}

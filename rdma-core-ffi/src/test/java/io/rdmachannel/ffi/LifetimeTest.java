// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LifetimeTest {
    private final List<String> destroyed = Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldDestroyOnceWhenClosedTwice() {
        Lifetime lifetime = shared("queue", CloseOrder.QUEUE_PAIR);

        lifetime.close();
        lifetime.close();

        assertThat(destroyed).containsExactly("queue");
        assertThat(lifetime.isClosed()).isTrue();
    }

    @Test
    void shouldCloseChildrenInTheDocumentedOrderBeforeTheParent() {
        Lifetime domain = shared("domain", CloseOrder.PROTECTION_DOMAIN);
        for (CloseOrder order : List.of(
                CloseOrder.MEMORY_REGION,
                CloseOrder.MEMORY_WINDOW,
                CloseOrder.ADDRESS_HANDLE,
                CloseOrder.QUEUE_PAIR,
                CloseOrder.SHARED_RECEIVE_QUEUE)) {
            childOf(order.name(), order, domain);
        }

        domain.close();

        assertThat(destroyed)
                .containsExactly(
                        "MEMORY_WINDOW",
                        "QUEUE_PAIR",
                        "SHARED_RECEIVE_QUEUE",
                        "ADDRESS_HANDLE",
                        "MEMORY_REGION",
                        "domain");
    }

    @Test
    void shouldCloseAChildOfTwoParentsOnce() {
        Lifetime domain = shared("domain", CloseOrder.PROTECTION_DOMAIN);
        Lifetime queue = shared("completion queue", CloseOrder.COMPLETION_QUEUE);
        Lifetime.of("pair", CloseOrder.QUEUE_PAIR)
                .childOf(domain)
                .childOf(queue)
                .destroyedBy(() -> destroyed.add("pair"))
                .begin();

        queue.close();
        domain.close();

        assertThat(destroyed).containsExactly("pair", "completion queue", "domain");
    }

    @Test
    void shouldRefuseUseWhenClosed() {
        Lifetime lifetime = shared("queue", CloseOrder.QUEUE_PAIR);
        lifetime.close();

        assertThatIllegalStateException().isThrownBy(lifetime::enter).withMessage("queue is closed");
        assertThatIllegalStateException().isThrownBy(lifetime::acquire).withMessage("queue is closed");
    }

    @Test
    void shouldWaitForTheUserInsideBeforeDestroying() throws InterruptedException {
        AtomicBoolean userInside = new AtomicBoolean(true);
        AtomicBoolean destroyedWhileInside = new AtomicBoolean();
        CountDownLatch woken = new CountDownLatch(1);
        Lifetime lifetime = Lifetime.of("channel", CloseOrder.COMPLETION_CHANNEL)
                .wakingBy(woken::countDown)
                .destroyedBy(() -> destroyedWhileInside.set(userInside.get()))
                .begin();
        lifetime.enter();
        Thread user = Thread.ofPlatform().start(() -> {
            awaitQuietly(woken);
            userInside.set(false);
            lifetime.exit();
        });

        lifetime.close();
        user.join();

        assertThat(destroyedWhileInside).isFalse();
        assertThat(lifetime.isClosed()).isTrue();
    }

    @Test
    void shouldNeverBeInsideAndDestroyedAtOnceUnderManyThreads() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            AtomicBoolean gone = new AtomicBoolean();
            AtomicInteger usesAfterDestruction = new AtomicInteger();
            Lifetime lifetime = Lifetime.of("queue", CloseOrder.QUEUE_PAIR)
                    .destroyedBy(() -> gone.set(true))
                    .begin();
            List<Thread> users = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                users.add(Thread.ofPlatform().start(() -> useUntilClosed(lifetime, gone, usesAfterDestruction)));
            }

            lifetime.close();

            for (Thread user : users) {
                user.join();
            }
            assertThat(usesAfterDestruction).hasValue(0);
        }
    }

    @Test
    void shouldStayUsableWhenTheDestroyerRefusesAndCloseWhenItAgrees() {
        AtomicBoolean busy = new AtomicBoolean(true);
        Lifetime lifetime = Lifetime.of("region", CloseOrder.MEMORY_REGION)
                .destroyedBy(() -> {
                    if (busy.get()) {
                        throw new IllegalStateException("EBUSY");
                    }
                })
                .begin();

        assertThatIllegalStateException().isThrownBy(lifetime::close).withMessage("EBUSY");
        lifetime.enter();
        lifetime.exit();
        busy.set(false);
        lifetime.close();

        assertThat(lifetime.isClosed()).isTrue();
    }

    @Test
    void shouldKeepTheParentWhenAChildRefusesAndTellEveryRefusal() {
        Lifetime domain = shared("domain", CloseOrder.PROTECTION_DOMAIN);
        for (String name : List.of("first", "second")) {
            Lifetime.of(name, CloseOrder.MEMORY_REGION)
                    .childOf(domain)
                    .destroyedBy(() -> {
                        throw new IllegalStateException(name);
                    })
                    .begin();
        }
        childOf("pair", CloseOrder.QUEUE_PAIR, domain);

        assertThatIllegalStateException()
                .isThrownBy(domain::close)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));

        assertThat(domain.isClosed()).isFalse();
        assertThat(destroyed).containsExactly("pair");
    }

    @Test
    void shouldRefuseAnotherThreadWhenConfined() throws InterruptedException {
        Lifetime lifetime = confinedTo(Thread.currentThread());
        lifetime.enter();
        lifetime.exit();

        assertThat(thrownInAnotherThread(lifetime::enter)).isInstanceOf(WrongThreadException.class);
        assertThat(thrownInAnotherThread(lifetime::close)).isInstanceOf(WrongThreadException.class);
        assertThat(lifetime.isClosed()).isFalse();
        lifetime.close();
    }

    @Test
    void shouldCloseNothingOfAParentWhenAChildIsConfinedToAnotherLivingThread() throws InterruptedException {
        Lifetime domain = shared("domain", CloseOrder.PROTECTION_DOMAIN);
        childOf("region", CloseOrder.MEMORY_REGION, domain);
        CountDownLatch end = new CountDownLatch(1);
        Thread owner = Thread.ofPlatform().start(() -> awaitQuietly(end));
        Lifetime.of("pair", CloseOrder.QUEUE_PAIR)
                .childOf(domain)
                .ownedBy(owner)
                .destroyedBy(() -> destroyed.add("pair"))
                .begin();

        assertThatExceptionOfType(WrongThreadException.class).isThrownBy(domain::close);
        assertThat(destroyed).isEmpty();

        end.countDown();
        owner.join();
        domain.close();
        assertThat(destroyed).containsExactly("pair", "region", "domain");
    }

    @Test
    void shouldObeyTheNewOwnerAfterAHandOver() throws InterruptedException {
        Lifetime lifetime = confinedTo(Thread.currentThread());
        AtomicBoolean used = new AtomicBoolean();
        Thread newOwner = Thread.ofPlatform().unstarted(() -> {
            lifetime.enter();
            lifetime.exit();
            used.set(true);
        });

        lifetime.handOver(newOwner);
        newOwner.start();
        newOwner.join();

        assertThat(used).isTrue();
        assertThatExceptionOfType(WrongThreadException.class).isThrownBy(lifetime::enter);
        lifetime.close();
    }

    @Test
    void shouldNotBeClosedByOthersWhenItsNewOwnerHasNotBegunYet() {
        Lifetime lifetime = confinedTo(Thread.currentThread());
        lifetime.handOver(Thread.ofPlatform().unstarted(() -> {}));

        assertThatExceptionOfType(WrongThreadException.class).isThrownBy(lifetime::close);
    }

    @Test
    void shouldRefuseToHandOverWhatIsShared() {
        Lifetime lifetime = shared("queue", CloseOrder.QUEUE_PAIR);

        assertThatIllegalStateException()
                .isThrownBy(() -> lifetime.handOver(Thread.currentThread()))
                .withMessageContaining("shared");
    }

    @Test
    void shouldLetAnyThreadHoldAConfinedHandleOpenWhileAChildIsMade() throws InterruptedException {
        Lifetime lifetime = confinedTo(Thread.currentThread());

        assertThat(thrownInAnotherThread(() -> {
                    lifetime.acquire();
                    lifetime.release();
                }))
                .isNull();
        lifetime.close();
    }

    private static void useUntilClosed(Lifetime lifetime, AtomicBoolean gone, AtomicInteger wrong) {
        try {
            while (true) {
                lifetime.enter();
                if (gone.get()) {
                    wrong.incrementAndGet();
                }
                lifetime.exit();
            }
        } catch (IllegalStateException closed) {
            // The end that every user comes to.
        }
    }

    private static Throwable thrownInAnotherThread(Runnable action) throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                action.run();
            } catch (RuntimeException failure) {
                thrown[0] = failure;
            }
        });
        thread.join();
        return thrown[0];
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Lifetime shared(String name, CloseOrder order) {
        return Lifetime.of(name, order).destroyedBy(() -> destroyed.add(name)).begin();
    }

    private Lifetime childOf(String name, CloseOrder order, Lifetime parent) {
        return Lifetime.of(name, order)
                .childOf(parent)
                .destroyedBy(() -> destroyed.add(name))
                .begin();
    }

    private Lifetime confinedTo(Thread owner) {
        return Lifetime.of("pair", CloseOrder.QUEUE_PAIR).ownedBy(owner).begin();
    }
}

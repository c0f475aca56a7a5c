// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadCachesTest {
    @Test
    void shouldTakeBackWhatIdleThreadsKeepWhenThePoolRunsOut() throws InterruptedException {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            CountDownLatch cached = new CountDownLatch(3);
            CountDownLatch end = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    pool.acquire(1024).release();
                    cached.countDown();
                    awaitUninterruptibly(end);
                }));
            }
            cached.await();
            assertThat(pool.stats().sizeClasses().getFirst().cached()).isPositive();
            List<Lease> all = Pools.takeAll(pool, 1024);
            assertThat(all).hasSize(256);
            all.forEach(Lease::release);
            end.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void shouldBringBuffersHomeThatAnEndedThreadKept() throws InterruptedException {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            for (int i = 0; i < 50; i++) {
                Pools.inAnotherThread(() -> pool.acquire(1024).release());
            }
            List<Lease> all = Pools.takeAll(pool, 1024);
            assertThat(all).hasSize(256);
            all.forEach(Lease::release);
        }
    }

    @Test
    void shouldLetOneThreadReleaseWhatAnotherAcquires() throws InterruptedException {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            for (int i = 0; i < 2000; i++) {
                List<Lease> leases = new ArrayList<>();
                for (int j = 0; j < 40; j++) {
                    leases.add(pool.acquire(1024));
                }
                if (i % 100 == 0) {
                    Pools.inAnotherThread(() -> leases.forEach(Lease::release));
                } else {
                    leases.forEach(Lease::release);
                }
            }
            assertThat(pool.stats().inUse()).isZero();
        }
    }

    @Test
    void shouldKeepNothingForVirtualThreads() throws InterruptedException {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            Thread.ofVirtual().start(() -> pool.acquire(1024).release()).join();
            assertThat(pool.stats().sizeClasses().getFirst().cached()).isZero();
        }
    }

    @Test
    void shouldWorkWithoutCaches() {
        PoolConfig config = Pools.small().threadCache(0, 0).build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            Lease lease = pool.acquire(1024);
            lease.release();
            assertThat(pool.stats().sizeClasses().getFirst().cached()).isZero();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException early) {
            Thread.currentThread().interrupt();
        }
    }
}

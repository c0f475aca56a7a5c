// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RegisteredMemoryPoolTest {
    @Test
    void shouldHandOutMemoryThatDoesNotOverlap() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().headroomBytes(40).build())) {
            List<Lease> leases = Pools.takeAll(pool, 1000);
            Set<Long> addresses = new HashSet<>();
            for (Lease lease : leases) {
                assertThat(lease.length()).isEqualTo(1000);
                assertThat(lease.capacity()).isEqualTo(1024);
                assertThat(lease.address() % 64).isZero();
                assertThat(lease.headroom().byteSize()).isEqualTo(40);
                assertThat(lease.headroomAddress()).isEqualTo(lease.address() - 40);
                assertThat(addresses.add(lease.address())).isTrue();
                lease.headroom().fill((byte) addresses.size());
                lease.segment().fill((byte) addresses.size());
            }
            assertThat(leases).hasSize(4 * (int) (Pools.UNIT / (1024 + 64)));
            int number = 0;
            for (Lease lease : leases) {
                number++;
                assertThat(lease.headroom().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) number);
                assertThat(lease.segment().get(ValueLayout.JAVA_BYTE, 1023)).isEqualTo((byte) number);
                lease.release();
            }
        }
    }

    @Test
    void shouldGiveTheKeysOfEveryRegistrarInItsOrder() {
        FakeRegistrar first = new FakeRegistrar(100);
        FakeRegistrar second = new FakeRegistrar(200);
        PoolConfig config =
                Pools.small().registerWith(first).registerWith(second).build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            Lease lease = pool.acquire(100);
            assertThat(lease.localKey()).isEqualTo(101);
            assertThat(lease.remoteKey()).isEqualTo(-101);
            assertThat(lease.localKey(1)).isEqualTo(201);
            assertThat(lease.remoteKey(1)).isEqualTo(-201);
            assertThatThrownBy(() -> lease.localKey(2)).isInstanceOf(IndexOutOfBoundsException.class);
            lease.release();
            assertThat(pool.stats().registrations()).isEqualTo(2);
        }
        assertThat(first.open).hasValue(0);
        assertThat(second.open).hasValue(0);
    }

    @Test
    void shouldLeaveNothingBehindWhenARegistrationIsRefused() {
        FakeRegistrar first = new FakeRegistrar(0);
        FakeRegistrar second = new FakeRegistrar(0);
        second.refuseFrom = 3;
        PoolConfig config = Pools.small()
                .slabBytes(Pools.UNIT)
                .registerWith(first)
                .registerWith(second)
                .build();
        assertThatThrownBy(() -> RegisteredMemoryPool.create(config)).hasMessage("refused by the test");
        assertThat(first.made).hasValue(3);
        assertThat(first.open).hasValue(0);
        assertThat(second.open).hasValue(0);
    }

    @Test
    void shouldSayAtOnceWhenItIsExhaustedAndServeAgainAfterARelease() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            List<Lease> all = Pools.takeAll(pool, Pools.UNIT);
            assertThat(all).hasSize(4);
            assertThat(pool.acquire(64)).isNull();
            all.removeLast().release();
            Lease small = pool.acquire(64);
            assertThat(small).isNotNull();
            small.release();
            all.forEach(Lease::release);
            PoolStats stats = pool.stats();
            assertThat(stats.exhaustions()).isEqualTo(2);
            assertThat(stats.failures()).isEqualTo(2);
            assertThat(stats.inUse()).isZero();
        }
    }

    @Test
    void shouldWaitUntilAnotherThreadReleases() throws InterruptedException {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            List<Lease> all = Pools.takeAll(pool, 4096);
            AtomicReference<Lease> got = new AtomicReference<>();
            Thread waiter = Thread.ofPlatform().start(() -> {
                try {
                    got.set(pool.acquire(4096, Duration.ofSeconds(30)));
                } catch (InterruptedException ignored) {
                    // The assertion below fails.
                }
            });
            Pools.await("the other thread waits", () -> pool.stats().waits() == 1);
            all.removeLast().release();
            waiter.join();
            assertThat(got.get()).isNotNull();
            got.get().release();
            all.forEach(Lease::release);
            assertThat(pool.stats().waitNanos()).isPositive();
            assertThat(pool.stats().failures()).isEqualTo(1);
        }
    }

    @Test
    void shouldGiveUpWaitingAtTheDeadline() throws InterruptedException {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            List<Lease> all = Pools.takeAll(pool, 4096);
            long begin = System.nanoTime();
            assertThat(pool.acquire(4096, Duration.ofMillis(20))).isNull();
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(20_000_000);
            all.forEach(Lease::release);
        }
    }

    @Test
    void shouldGrowByStepsUpToTheLimitAndShrinkBackToTheBeginning() {
        FakeRegistrar registrar = new FakeRegistrar(0);
        PoolConfig config = Pools.small()
                .slabBytes(2 * Pools.UNIT)
                .growthBytes(4 * Pools.UNIT)
                .maxBytes(10 * Pools.UNIT)
                .registerWith(registrar)
                .build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            List<Lease> all = Pools.takeAll(pool, Pools.UNIT);
            assertThat(all).hasSize(10);
            assertThat(registrar.open).hasValue(5);
            assertThat(pool.stats().capacityBytes()).isEqualTo(10 * Pools.UNIT);
            assertThat(pool.grow(1)).isZero();
            assertThat(pool.shrink()).isZero();
            all.forEach(Lease::release);
            assertThat(pool.shrink()).isEqualTo(6 * Pools.UNIT);
            assertThat(registrar.open).hasValue(2);
            PoolStats stats = pool.stats();
            assertThat(stats.capacityBytes()).isEqualTo(4 * Pools.UNIT);
            assertThat(stats.growths()).isEqualTo(3);
            assertThat(stats.shrinks()).isEqualTo(3);
        }
    }

    @Test
    void shouldStayAsItIsWhenTheSystemRefusesToLetItGrow() {
        FakeRegistrar registrar = new FakeRegistrar(0);
        PoolConfig config = Pools.small()
                .slabBytes(4 * Pools.UNIT)
                .growthBytes(1)
                .maxBytes(8 * Pools.UNIT)
                .registerWith(memory -> {
                    if (registrar.made.get() >= 1) {
                        throw new PoolExhaustedException("refused by the test");
                    }
                    return registrar.register(memory);
                })
                .build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            List<Lease> all = Pools.takeAll(pool, Pools.UNIT);
            assertThat(all).hasSize(4);
            assertThatThrownBy(() -> pool.grow(1)).hasMessage("refused by the test");
            all.forEach(Lease::release);
        }
    }

    @Test
    void shouldTellFreeMemoryFromUsed() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            assertThat(pool.stats().freeBytes()).isEqualTo(pool.stats().capacityBytes());
            assertThat(pool.stats().usedBytes()).isZero();
            List<Lease> all = Pools.takeAll(pool, Pools.UNIT / 2);
            assertThat(pool.stats().usedBytes()).isGreaterThanOrEqualTo(all.size() * Pools.UNIT / 2);
            assertThat(pool.stats().freeBytes() + pool.stats().usedBytes())
                    .isEqualTo(pool.stats().capacityBytes());
            all.forEach(Lease::release);
            assertThat(pool.stats().freeBytes()).isGreaterThanOrEqualTo(all.size() * Pools.UNIT / 2);
        }
    }

    @Test
    void shouldServeOversizeWithinTheLimitAndUseItsMemoryAgain() {
        PoolConfig config =
                Pools.small().maxBytes(20 * Pools.UNIT).headroomBytes(32).build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            Lease large = pool.acquire(10 * Pools.UNIT);
            assertThat(large.capacity()).isGreaterThanOrEqualTo(10 * Pools.UNIT);
            assertThat(large.headroom().byteSize()).isEqualTo(32);
            long address = large.address();
            assertThat(pool.acquire(10 * Pools.UNIT)).isNull();
            assertThat(pool.stats().inUse()).isEqualTo(1);
            large.release();
            Lease again = pool.acquire(9 * Pools.UNIT);
            assertThat(again.address()).isEqualTo(address);
            again.release();
            assertThatThrownBy(again::release).isInstanceOf(IllegalStateException.class);
            assertThat(pool.shrink()).isEqualTo(11 * Pools.UNIT);
            assertThat(pool.stats().capacityBytes()).isEqualTo(4 * Pools.UNIT);
        }
    }

    @Test
    void shouldMoveIdleMemoryFromOneSizeToAnother() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            Pools.takeAll(pool, 64).forEach(Lease::release);
            List<Lease> large = Pools.takeAll(pool, Pools.UNIT);
            assertThat(large).hasSize(4);
            large.forEach(Lease::release);
            List<Lease> small = Pools.takeAll(pool, 64);
            assertThat(small).hasSize(4 * 1024);
            small.forEach(Lease::release);
        }
    }

    @Test
    void shouldRefuseNegativeSizesAndServeEmptyOnes() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            assertThatThrownBy(() -> pool.acquire(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> pool.acquire(Long.MIN_VALUE)).isInstanceOf(IllegalArgumentException.class);
            Lease empty = pool.acquire(0);
            assertThat(empty.length()).isZero();
            empty.release();
            assertThat(pool.acquire(Long.MAX_VALUE / 2)).isNull();
        }
    }

    @Test
    void shouldMakeSegmentsUnusableOnceThePoolIsClosed() {
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(Pools.small().build());
        Lease lease = pool.acquire(100);
        MemorySegment segment = lease.segment();
        lease.release();
        pool.close();
        pool.close();
        assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pool.acquire(100))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void shouldReportWishesThatCannotBeFulfilled() {
        PoolConfig config = Pools.small()
                .initialBytes(1)
                .hugePages(HugePages.EXPLICIT_1_GIB)
                .numaNode(1000)
                .build();
        assertThat(config.slabBytes()).isEqualTo(1L << 30);
        PoolConfig smaller = Pools.small().numaNode(1000).build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(smaller)) {
            Placement placement = pool.stats().placement();
            assertThat(placement.numaNode()).isEqualTo(-1);
            assertThat(placement.notes()).anyMatch(note -> note.contains("no such node"));
        }
    }

    @Test
    void shouldBindToTheFirstNodeWhereThatIsAllowed() {
        PoolConfig config = Pools.small()
                .numaNode(0)
                .initialBytes(16 << 20)
                .prefaultThreads(3)
                .build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            Placement placement = pool.stats().placement();
            assertThat(placement.numaNode() == 0 || !placement.notes().isEmpty())
                    .isTrue();
        }
    }

    @Test
    void shouldNameBothNumbersWhenTheLimitIsBelowTheBeginning() {
        assertThatThrownBy(() -> Pools.small().maxBytes(Pools.UNIT).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536")
                .hasMessageContaining("262144");
    }

    @Test
    void shouldGiveIdleGrowthUpForAnOversizeBuffer() {
        PoolConfig config = Pools.small()
                .slabBytes(2 * Pools.UNIT)
                .growthBytes(2 * Pools.UNIT)
                .maxBytes(8 * Pools.UNIT)
                .build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            List<Lease> all = Pools.takeAll(pool, 4096);
            assertThat(pool.acquire(3 * Pools.UNIT)).isNull();
            all.forEach(Lease::release);
            Lease oversize = pool.acquire(3 * Pools.UNIT);
            assertThat(oversize).isNotNull();
            assertThat(pool.stats().capacityBytes()).isLessThanOrEqualTo(8 * Pools.UNIT);
            oversize.release();
        }
    }
}

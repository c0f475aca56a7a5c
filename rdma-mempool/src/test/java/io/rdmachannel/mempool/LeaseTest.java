// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class LeaseTest {
    @Test
    void shouldGoBackWithTheLastReference() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            Lease lease = pool.acquire(64).retain().retain();
            assertThat(lease.referenceCount()).isEqualTo(3);
            lease.release();
            lease.release();
            assertThat(pool.stats().inUse()).isEqualTo(1);
            lease.release();
            assertThat(pool.stats().inUse()).isZero();
        }
    }

    @Test
    void shouldHoldTheBufferUntilTheLastSliceIsReleased() {
        FakeRegistrar registrar = new FakeRegistrar(7);
        PoolConfig config = Pools.small().registerWith(registrar).build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            Lease lease = pool.acquire(1000);
            LeaseSlice slice = lease.slice(100, 200);
            assertThat(slice.address()).isEqualTo(lease.address() + 100);
            assertThat(slice.length()).isEqualTo(200);
            assertThat(slice.localKey()).isEqualTo(lease.localKey());
            lease.release();
            assertThat(pool.stats().inUse()).isEqualTo(1);
            slice.retain().release();
            slice.release();
            assertThat(pool.stats().inUse()).isZero();
            assertThatThrownBy(slice::release).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(slice::segment).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldRefuseASliceOutsideOfItsCapacity() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            Lease lease = pool.acquire(64);
            assertThatThrownBy(() -> lease.slice(1, 64)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> lease.length(65)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(lease.referenceCount()).isEqualTo(1);
            lease.length(3);
            assertThat(lease.length()).isEqualTo(3);
            lease.release();
        }
    }

    @Test
    void shouldRefuseASecondRelease() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            Lease lease = pool.acquire(64);
            lease.release();
            assertThatThrownBy(lease::release)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("released already");
            assertThatThrownBy(lease::retain).isInstanceOf(IllegalStateException.class);
            assertThat(pool.stats().inUse()).isZero();
        }
    }

    @Test
    void shouldRefuseAReleaseToAnotherPool() {
        try (RegisteredMemoryPool mine =
                        RegisteredMemoryPool.create(Pools.small().name("mine").build());
                RegisteredMemoryPool other =
                        RegisteredMemoryPool.create(Pools.small().name("other").build())) {
            Lease lease = mine.acquire(64);
            assertThatThrownBy(() -> other.release(lease))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("pool mine")
                    .hasMessageContaining("pool other");
            mine.release(lease);
        }
    }

    @Test
    void shouldFindEveryUseAfterReleaseInTheCheckedMode() {
        PoolConfig config = Pools.small().checkedUse(true).build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            Lease stale = pool.acquire(64);
            stale.release();
            Lease fresh = pool.acquire(64);
            assertThat(fresh).isNotSameAs(stale);
            assertThat(fresh.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo(UseChecks.POISON);
            assertThatThrownBy(stale::segment).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(stale::localKey).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(stale::release)
                    .isInstanceOf(IllegalStateException.class)
                    .hasStackTraceContaining("shouldFindEveryUseAfterReleaseInTheCheckedMode");
            fresh.release();
        }
    }

    @Test
    void shouldReportAWriteAfterTheReleaseInTheCheckedMode() {
        PoolConfig config = Pools.small().checkedUse(true).headroomBytes(20).build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            Lease lease = pool.acquire(64);
            MemorySegment kept = lease.segment();
            lease.release();
            Lease second = pool.acquire(64);
            assertThat(pool.stats().writesAfterRelease()).isZero();
            MemorySegment keptHeadroom = second.headroom();
            second.release();
            kept.set(ValueLayout.JAVA_BYTE, 63, (byte) 1);
            pool.acquire(64).release();
            assertThat(pool.stats().writesAfterRelease()).isEqualTo(1);
            keptHeadroom.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            pool.acquire(64).release();
            assertThat(pool.stats().writesAfterRelease()).isEqualTo(2);
        }
    }
}

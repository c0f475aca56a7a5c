// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool whose device is closed under it, and opened again. */
@Timeout(60)
class PoolRegistrationTest {
    private final FakeRegistrar registrar = new FakeRegistrar(100, false);
    private final FakeRegistrar other = new FakeRegistrar(200, false);
    private final RegisteredMemoryPool pool = RegisteredMemoryPool.create(Pools.small()
            .growthBytes(4 * Pools.UNIT)
            .maxBytes(12 * Pools.UNIT)
            .registerWith(registrar)
            .registerWith(other)
            .registrationCache(4, 100_000)
            .build());

    @AfterEach
    void endWithoutRegistrations() {
        registrar.refuseClose = null;
        pool.close();
        assertThat(registrar.open).hasValue(0);
        assertThat(other.open).hasValue(0);
    }

    @Test
    void shouldKeepALeaseAndItsBytesWhileItsKeysChange() {
        Lease lease = pool.acquire(100);
        int before = lease.localKey();
        lease.segment().set(ValueLayout.JAVA_INT, 0, 4711);

        pool.deregister();
        assertThat(registrar.open).hasValue(0);
        assertThat(lease.localKey()).isZero();
        assertThat(lease.remoteKey()).isZero();
        assertThat(lease.localKey(1)).isZero();

        pool.registerAgain();
        assertThat(lease.localKey()).isGreaterThan(before);
        assertThat(lease.remoteKey()).isEqualTo(-lease.localKey());
        assertThat(lease.localKey(1)).isEqualTo(lease.localKey() + 100);
        assertThat(lease.segment().get(ValueLayout.JAVA_INT, 0)).isEqualTo(4711);
        lease.release();
    }

    @Test
    void shouldHandOutAndMapMemoryWhileNothingIsRegistered() {
        pool.deregister();
        long added = pool.grow(Pools.UNIT);
        Lease lease = pool.acquire(100);
        assertThat(added).isPositive();
        assertThat(lease.localKey()).isZero();
        assertThat(registrar.open).hasValue(0);

        pool.registerAgain();
        assertThat(lease.localKey()).isPositive();
        assertThat(registrar.open.get()).isEqualTo(pool.stats().slabs()).isGreaterThan(1);
        lease.release();
    }

    @Test
    void shouldRegisterUsersMemoryAgainThatIsInUseAndForgetTheRest() {
        pool.register(Arena.ofAuto().allocate(1000)).close();
        MemorySegment memory = Arena.ofAuto().allocate(1000);
        RegisteredMemory used = pool.register(memory);
        int before = used.localKey();

        pool.deregister();
        assertThat(used.localKey()).isZero();
        assertThat(pool.stats().userMemory().registrations()).isEqualTo(1);
        try (RegisteredMemory meanwhile = pool.register(Arena.ofAuto().allocate(500))) {
            assertThat(meanwhile.localKey()).isZero();
            pool.registerAgain();
            assertThat(meanwhile.localKey()).isPositive();
        }
        assertThat(used.localKey()).isGreaterThan(before);
        used.close();
    }

    @Test
    void shouldHaveNothingRegisteredWhenRegisteringAgainIsRefusedAndSucceedLater() {
        pool.grow(Pools.UNIT);
        pool.deregister();
        registrar.refuseFrom = registrar.made.get() + 2;
        assertThatThrownBy(pool::registerAgain).hasMessage("refused by the test");
        assertThat(registrar.open).hasValue(0);
        assertThat(other.open).hasValue(0);

        registrar.refuseFrom = Integer.MAX_VALUE;
        pool.registerAgain();
        assertThat(registrar.open.get()).isEqualTo(pool.stats().slabs());
    }

    @Test
    void shouldUndoAllWhenUsersMemoryIsRefused() {
        try (RegisteredMemory used = pool.register(Arena.ofAuto().allocate(1000))) {
            pool.deregister();
            registrar.refuseFrom = registrar.made.get() + pool.stats().slabs() + 1;
            assertThatThrownBy(pool::registerAgain).hasMessage("refused by the test");
            assertThat(registrar.open).hasValue(0);
            assertThat(used.localKey()).isZero();
            registrar.refuseFrom = Integer.MAX_VALUE;
        }
    }

    @Test
    void shouldTakeBackLaterWhatTheDeviceRefusesToTakeBackNow() {
        registrar.refuseClose = new IllegalStateException("busy");
        assertThatThrownBy(pool::deregister).hasMessage("busy");
        registrar.refuseClose = null;
        pool.deregister();
        assertThat(registrar.open).hasValue(0);
        pool.deregister();
        pool.registerAgain();
        pool.registerAgain();
        assertThat(registrar.open.get()).isEqualTo(pool.stats().slabs());
    }
}

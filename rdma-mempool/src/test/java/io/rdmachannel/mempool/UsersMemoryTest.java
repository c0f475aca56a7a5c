// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UsersMemoryTest {
    private final FakeRegistrar first = new FakeRegistrar(100, false);
    private final FakeRegistrar second = new FakeRegistrar(200, false);
    private final RegisteredMemoryPool pool = RegisteredMemoryPool.create(Pools.small()
            .registerWith(first)
            .registerWith(second)
            .registrationCache(2, 100_000)
            .build());

    @AfterEach
    void endWithoutRegistrations() {
        pool.close();
        assertThat(first.open).hasValue(0);
        assertThat(second.open).hasValue(0);
    }

    @Test
    void shouldRegisterWithEveryRegistrarOfThePool() {
        try (RegisteredMemory memory = pool.register(Arena.ofAuto().allocate(1000))) {
            assertThat(memory.localKey()).isEqualTo(memory.localKey(0)).isEqualTo(102);
            assertThat(memory.localKey(1)).isEqualTo(202);
            assertThat(memory.remoteKey(1)).isEqualTo(-202);
            assertThatThrownBy(() -> memory.localKey(2)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(pool.stats().userMemory().registrations()).isEqualTo(1);
    }

    @Test
    void shouldUndoTheFirstRegistrationWhenTheSecondIsRefused() {
        second.refuseFrom = 2;
        MemorySegment memory = Arena.ofAuto().allocate(1000);
        assertThatThrownBy(() -> pool.register(memory)).hasMessage("refused by the test");
        assertThat(first.open).hasValue(1);
        second.refuseFrom = Integer.MAX_VALUE;
        pool.register(memory).close();
        assertThat(pool.forget(memory)).isEqualTo(1);
    }

    @Test
    void shouldKeepToTheBoundsOfItsOwn() {
        try (RegisteredMemory used = pool.register(Arena.ofAuto().allocate(60_000))) {
            assertThatThrownBy(() -> pool.register(Arena.ofAuto().allocate(60_000)))
                    .isInstanceOf(PoolExhaustedException.class);
            assertThat(used.length()).isEqualTo(60_000);
        }
        pool.register(Arena.ofAuto().allocate(60_000)).close();
        assertThat(pool.stats().userMemory().evictions()).isEqualTo(1);
        assertThat(pool.stats().capacityBytes()).isEqualTo(4 * Pools.UNIT);
    }

    @Test
    void shouldNotCloseWhileUsersMemoryIsRegistered() {
        RegisteredMemory memory = pool.register(Arena.ofAuto().allocate(1000));
        assertThatThrownBy(pool::close)
                .isInstanceOf(PoolInUseException.class)
                .hasMessageContaining("1 pieces of users' memory are registered");
        pool.acquire(100).release();
        pool.register(Arena.ofAuto().allocate(1000)).close();
        memory.close();
    }

    @Test
    void shouldRegisterAgainAfterACloseThatALeasePrevented() {
        Lease lease = pool.acquire(100);
        assertThatThrownBy(() -> pool.close(Duration.ofMillis(2))).isInstanceOf(PoolInUseException.class);
        pool.register(Arena.ofAuto().allocate(1000)).close();
        lease.release();
    }

    @Test
    void shouldRefuseOnceClosed() {
        pool.close();
        assertThatThrownBy(() -> pool.register(Arena.ofAuto().allocate(1000)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegistrationCacheTest {
    private final FakeRegistrar registrar = new FakeRegistrar(0, false);
    private final RegistrationCache cache = new RegistrationCache(registrar, 3, 1 << 20);

    @AfterEach
    void endWithoutRegistrations() {
        cache.close();
        cache.close();
        assertThat(registrar.open).hasValue(0);
    }

    @Test
    void shouldUseARegistrationAgainThatCoversTheRange() {
        MemorySegment memory = Arena.ofAuto().allocate(10_000);
        try (RegisteredMemory whole = cache.register(memory);
                RegisteredMemory part = cache.register(memory.asSlice(1000, 500))) {
            assertThat(part.localKey()).isEqualTo(whole.localKey());
            assertThat(part.address()).isEqualTo(memory.address() + 1000);
            assertThat(part.length()).isEqualTo(500);
        }
        cache.register(memory.asSlice(9999, 1)).close();
        RegistrationCache.Stats stats = cache.stats();
        assertThat(stats).isEqualTo(new RegistrationCache.Stats(1, 10_000, 0, 2, 1, 0, stats.registrationNanos()));
        assertThat(stats.registrationNanos()).isPositive();
    }

    @Test
    void shouldFindTheRangeThatReachesFarEnoughAmongOverlappingOnes() {
        MemorySegment memory = Arena.ofAuto().allocate(10_000);
        cache.register(memory.asSlice(2000, 100)).close();
        cache.register(memory.asSlice(2000, 200)).close();
        cache.register(memory).close();
        cache.register(memory.asSlice(2050, 5000)).close();
        cache.register(memory.asSlice(2000, 150)).close();
        assertThat(cache.stats().misses()).isEqualTo(3);
        assertThat(cache.stats().hits()).isEqualTo(2);
    }

    @Test
    void shouldDropTheLeastRecentlyUsedOneWhenFull() {
        MemorySegment[] memory = new MemorySegment[4];
        for (int i = 0; i < 4; i++) {
            memory[i] = Arena.ofAuto().allocate(100);
        }
        cache.register(memory[0]).close();
        cache.register(memory[1]).close();
        cache.register(memory[2]).close();
        cache.register(memory[0]).close();
        cache.register(memory[3]).close();
        assertThat(cache.stats().evictions()).isEqualTo(1);
        cache.register(memory[0]).close();
        assertThat(cache.stats().hits()).isEqualTo(2);
        cache.register(memory[1]).close();
        assertThat(cache.stats().misses()).isEqualTo(5);
    }

    @Test
    void shouldRefuseWhenAllItHoldsIsInUse() {
        MemorySegment memory = Arena.ofAuto().allocate(600_000);
        try (RegisteredMemory used = cache.register(memory)) {
            assertThatThrownBy(() -> cache.register(Arena.ofAuto().allocate(600_000)))
                    .isInstanceOf(PoolExhaustedException.class)
                    .hasMessageContaining("all in use");
            assertThatThrownBy(cache::close).isInstanceOf(PoolInUseException.class);
            assertThatThrownBy(() -> cache.forget(memory.asSlice(5, 1))).isInstanceOf(IllegalStateException.class);
            assertThat(used.localKey()).isEqualTo(1);
        }
        assertThat(cache.forget(memory.asSlice(5, 1))).isEqualTo(1);
        assertThat(registrar.open).hasValue(0);
    }

    @Test
    void shouldExplainWhyAConfinedArenaIsRefused() {
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment memory = confined.allocate(100);
            assertThatThrownBy(() -> cache.register(memory))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("confined")
                    .hasMessageContaining("Arena.ofShared()");
        }
    }

    @Test
    void shouldRefuseHeapReadOnlyEmptyAndDeadMemory() {
        assertThatThrownBy(() -> cache.register(MemorySegment.ofArray(new byte[10])))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cache.register(Arena.global().allocate(10).asReadOnly()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cache.register(MemorySegment.NULL)).isInstanceOf(IllegalArgumentException.class);
        Arena arena = Arena.ofShared();
        MemorySegment dead = arena.allocate(10);
        arena.close();
        assertThatThrownBy(() -> cache.register(dead)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNotUseTheRegistrationOfAClosedArenaAgain() {
        Arena arena = Arena.ofShared();
        RegisteredMemory memory = cache.register(arena.allocate(100));
        RegisteredMemory idle = cache.register(arena.allocate(100));
        idle.close();
        arena.close();
        memory.close();
        assertThat(cache.stats().registrations()).isEqualTo(1);
        cache.register(Arena.ofAuto().allocate(100)).close();
        assertThat(cache.stats().registrations()).isEqualTo(1);
    }
}

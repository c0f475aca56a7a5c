// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimTest {
    @Test
    void shouldServeItsHolderWhenSendersHaveTakenAllTheRest() {
        try (RegisteredMemoryPool pool =
                        RegisteredMemoryPool.create(Pools.small().build());
                Claim receives = pool.claim("receives", 1024, 16)) {
            List<Lease> sends = Pools.takeAll(pool, 1024);
            assertThat(sends).hasSize(4 * 64 - 16);
            for (int round = 0; round < 1000; round++) {
                Lease receive = receives.acquire();
                assertThat(receive).isNotNull();
                assertThat(receive.length()).isEqualTo(1024);
                receive.release();
                assertThat(pool.acquire(1024)).isNull();
            }
            sends.forEach(Lease::release);
        }
    }

    @Test
    void shouldStarveOnlyTheHolderThatKeepsItsBuffers() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            List<Claim> channels = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                channels.add(pool.claim("channel " + i, 4096, 4));
            }
            List<Lease> sends = Pools.takeAll(pool, 4096);
            List<Lease> kept = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                kept.add(channels.getFirst().acquire());
            }
            assertThat(channels.getFirst().acquire()).isNull();
            for (Claim channel : channels.subList(1, 8)) {
                assertThat(channel.available()).isEqualTo(4);
                channel.acquire().release();
            }
            kept.removeFirst().release();
            assertThat(channels.getFirst().available()).isEqualTo(1);
            kept.forEach(Lease::release);
            sends.forEach(Lease::release);
            channels.forEach(Claim::close);
        }
    }

    @Test
    void shouldTakeBuffersBackFromWhicheverThreadReleasesThem() throws InterruptedException {
        try (RegisteredMemoryPool pool =
                        RegisteredMemoryPool.create(Pools.small().build());
                Claim claim = pool.claim("test", 100, 2)) {
            Lease lease = claim.acquire();
            Pools.inAnotherThread(lease::release);
            assertThat(claim.available()).isEqualTo(2);
        }
    }

    @Test
    void shouldLetBuffersGoHomeThatAreReleasedAfterItsEnd() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            Claim claim = pool.claim("test", 100, 2);
            Lease lease = claim.acquire();
            claim.close();
            claim.close();
            assertThatThrownBy(claim::acquire).isInstanceOf(IllegalStateException.class);
            lease.release();
            assertThat(pool.stats().inUse()).isZero();
            assertThat(pool.stats().claimed()).isZero();
        }
    }

    @Test
    void shouldTakeNothingWhenThePoolIsTooSmall() {
        try (RegisteredMemoryPool pool =
                RegisteredMemoryPool.create(Pools.small().build())) {
            assertThatThrownBy(() -> pool.claim("too much", 1024, 257))
                    .isInstanceOf(PoolExhaustedException.class)
                    .hasMessageContaining("too much")
                    .hasMessageContaining("256");
            assertThat(pool.stats().inUse()).isZero();
            pool.claim("just enough", 1024, 256).close();
        }
    }

    @Test
    void shouldWorkInTheCheckedModeToo() {
        PoolConfig config = Pools.small().checkedUse(true).build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config);
                Claim claim = pool.claim("test", 100, 1)) {
            Lease stale = claim.acquire();
            stale.release();
            Lease fresh = claim.acquire();
            assertThat(claim.acquire()).isNull();
            assertThatThrownBy(stale::release).isInstanceOf(IllegalStateException.class);
            fresh.release();
            assertThat(claim.available()).isEqualTo(1);
        }
    }
}

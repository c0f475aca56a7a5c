// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoolCloseTest {
    @Test
    void shouldRefuseToCloseAndNameWhatIsOut() {
        FakeRegistrar registrar = new FakeRegistrar(0);
        PoolConfig config = Pools.small()
                .leakDetection(LeakDetection.FULL)
                .maxBytes(100 * Pools.UNIT)
                .registerWith(registrar)
                .build();
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(config);
        Lease lease = pool.acquire(100);
        Lease oversize = pool.acquire(20 * Pools.UNIT);
        assertThatThrownBy(pool::close)
                .isInstanceOfSatisfying(
                        PoolInUseException.class,
                        refusal -> assertThat(refusal.leasesOut()).isEqualTo(2))
                .hasMessageContaining(Long.toHexString(lease.address()))
                .hasMessageContaining(Long.toHexString(oversize.address()))
                .hasMessageContaining("PoolCloseTest");
        assertThat(registrar.open).hasValue(2);
        Lease another = pool.acquire(100);
        assertThat(another).isNotNull();
        another.release();
        lease.release();
        oversize.release();
        pool.close();
        assertThat(registrar.open).hasValue(0);
    }

    @Test
    void shouldWaitForTheLastLeaseWhenThereIsTime() throws InterruptedException {
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(Pools.small().build());
        Lease lease = pool.acquire(100);
        Thread closer = Thread.ofPlatform().start(() -> {
            try {
                pool.close(Duration.ofSeconds(30));
            } catch (InterruptedException ignored) {
                // The assertion below fails.
            }
        });
        Pools.await("the other thread waits", () -> pool.stats().waits() == 1);
        assertThatThrownBy(() -> pool.acquire(5000)).isInstanceOf(IllegalStateException.class);
        lease.release();
        closer.join();
        assertThatThrownBy(() -> pool.acquire(100)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldHandOutAgainWhenTheDeadlineHasPassed() throws InterruptedException {
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(Pools.small().build());
        Lease lease = pool.acquire(100);
        assertThatThrownBy(() -> pool.close(Duration.ofMillis(5))).isInstanceOf(PoolInUseException.class);
        Lease another = pool.acquire(100);
        another.release();
        lease.release();
        pool.close(Duration.ZERO);
    }

    @Test
    void shouldKeepMemoryMappedThatTheAdapterMayStillKnow() {
        FakeRegistrar registrar = new FakeRegistrar(0);
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(
                Pools.small().registerWith(registrar).build());
        registrar.refuseClose = new IllegalStateException("busy");
        assertThatThrownBy(pool::close).hasMessage("busy");
        registrar.refuseClose = null;
        pool.close();
        assertThat(registrar.open).hasValue(0);
    }

    @Test
    void shouldNameAnOpenClaim() {
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(Pools.small().build());
        Claim claim = pool.claim("receives of channel 7", 1024, 8);
        assertThatThrownBy(pool::close).hasMessageContaining("receives of channel 7");
        claim.close();
        pool.close();
    }
}

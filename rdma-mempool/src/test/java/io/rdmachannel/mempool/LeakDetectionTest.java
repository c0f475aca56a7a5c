// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LeakDetectionTest {
    @Test
    void shouldReportALostLeaseWithWhereItWasAcquired(@TempDir Path directory) throws Exception {
        PoolConfig config =
                Pools.small().name("leaky").leakDetection(LeakDetection.FULL).build();
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(config);
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            recording.enable("io.rdmachannel.mempool.Leak");
            recording.start();
            lose(pool);
            awaitLeak(pool);
            Path file = directory.resolve("leak.jfr");
            recording.dump(file);
            assertThat(Files.size(file)).isPositive();
            events = RecordingFile.readAllEvents(file);
        }
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().getString("acquiredAt")).contains("LeakDetectionTest.lose");
        assertThat(events.getFirst().getLong("bytes")).isEqualTo(128);
        assertThatThrownBy(pool::close).hasMessageContaining("1 of them lost").hasMessageContaining("lose");
    }

    @Test
    void shouldCountWithoutAStackToo() throws Exception {
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(Pools.small().build());
        pool.acquire(100).release();
        lose(pool);
        awaitLeak(pool);
        assertThat(pool.stats().inUse()).isEqualTo(1);
    }

    @Test
    void shouldReportNothingForLeasesThatCameBack() {
        PoolConfig config =
                Pools.small().checkedUse(true).leakDetection(LeakDetection.FULL).build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            for (int i = 0; i < 100; i++) {
                pool.acquire(100).release();
                pool.acquire(5000).release();
            }
            pool.shrink();
            System.gc();
            assertThat(pool.stats().leaks()).isZero();
        }
    }

    @Test
    void shouldNotTakeAReleasedOversizeLeaseForALostOne() {
        PoolConfig config = Pools.small().maxBytes(100 * Pools.UNIT).build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            WeakReference<Lease> lease = new WeakReference<>(pool.acquire(20 * Pools.UNIT));
            lease.get().release();
            Pools.await("the lease is collected", () -> {
                System.gc();
                return lease.get() == null;
            });
            assertThat(pool.stats().leaks()).isZero();
        }
    }

    private static void lose(RegisteredMemoryPool pool) {
        assertThat(pool.acquire(100)).isNotNull();
    }

    private static void awaitLeak(RegisteredMemoryPool pool) {
        Pools.await("the lost lease is reported", () -> {
            System.gc();
            return pool.stats().leaks() == 1;
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ArenaPoolTest {
    @Test
    void shouldNeedNoNativeAccess() throws Exception {
        String[] command = ChildJvm.command(ArenaPoolProgram.class, "--illegal-native-access=deny")
                .toArray(String[]::new);
        assertThat(LabDevice.output(command)).startsWith("leases ").contains(", keys 0");
    }

    @Test
    void shouldRefuseWishesThatOnlyMappedMemoryCanFulfil() {
        PoolConfig.Builder config = PoolConfig.builder().source(MemorySource.ARENA);
        config.build();
        assertThatThrownBy(config.hugePages(HugePages.TRANSPARENT)::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MemorySource.MAPPED");
        assertThatThrownBy(config.hugePages(HugePages.NONE).locking(MemoryLocking.REQUIRED)::build)
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(config.locking(MemoryLocking.NONE).registerWith(new FakeRegistrar(0))::build)
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldEndAccessToItsMemoryWhenClosed() {
        RegisteredMemoryPool pool = RegisteredMemoryPool.create(PoolConfig.builder()
                .source(MemorySource.ARENA)
                .initialBytes(1 << 20)
                .build());
        Lease lease = pool.acquire(100);
        lease.release();
        pool.close();
        assertThatThrownBy(() -> lease.segment().fill((byte) 0)).isInstanceOf(IllegalStateException.class);
    }
}

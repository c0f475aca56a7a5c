// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolSizingTest {
    @Test
    void shouldMakeAPoolLargeEnoughForAllItsHolders() {
        PoolSizing sizing = PoolSizing.withHeadroom(64)
                .plus("posted receives", 8 * 64, 4096)
                .plus("sends in flight", 8 * 32, 4096)
                .plus("control messages", 100, 200)
                .plus("large sends", 3, 100_000);
        long bytes = sizing.bytes(Long.MAX_VALUE >> 20);
        PoolConfig config = Pools.small().initialBytes(bytes).headroomBytes(64).build();
        sizing.requireFits(config);
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            List<Claim> claims = new ArrayList<>();
            for (PoolSizing.Term term : sizing.terms()) {
                claims.add(pool.claim(term.holder(), term.payloadBytes(), (int) term.buffers()));
            }
            claims.forEach(Claim::close);
        }
    }

    @Test
    void shouldNameEveryTermWhenThePoolIsTooSmall() {
        PoolSizing sizing =
                PoolSizing.withHeadroom(0).plus("receives", 100, 4096).plus("sends", 50, 1024);
        assertThatThrownBy(() -> sizing.requireFits(Pools.small().build()))
                .isInstanceOf(PoolExhaustedException.class)
                .hasMessageContainingAll("100 x 4 KiB for receives", "50 x 1 KiB for sends", "256 KiB");
    }

    @Test
    void shouldRefuseASizingForAnotherHeadroom() {
        PoolSizing sizing = PoolSizing.withHeadroom(64);
        assertThatThrownBy(() -> sizing.requireFits(Pools.small().build()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldCountOversizeBuffersWithWholeUnits() {
        long bytes = PoolSizing.withHeadroom(0).plus("huge", 2, Pools.UNIT + 1).bytes(Pools.UNIT);
        assertThat(bytes).isEqualTo(4 * Pools.UNIT);
    }
}

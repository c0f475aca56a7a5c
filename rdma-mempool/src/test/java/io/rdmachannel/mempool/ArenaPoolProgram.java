// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.List;

/** What {@link ArenaPoolTest} starts where native access is denied. */
final class ArenaPoolProgram {
    private ArenaPoolProgram() {}

    public static void main(String[] arguments) throws Exception {
        PoolConfig config = PoolConfig.builder()
                .source(MemorySource.ARENA)
                .initialBytes(1 << 20)
                .growthBytes(1 << 20)
                .headroomBytes(32)
                .build();
        try (RegisteredMemoryPool pool = RegisteredMemoryPool.create(config)) {
            List<Lease> leases = Pools.takeAll(pool, 4096);
            leases.forEach(lease -> lease.segment().fill((byte) 1));
            leases.forEach(Lease::release);
            Lease oversize = pool.acquire(3 << 19);
            oversize.release();
            System.out.println(
                    "leases " + leases.size() + ", keys " + leases.getFirst().localKey());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench;

import io.rdmachannel.mempool.MemoryLocking;
import io.rdmachannel.mempool.PoolConfig;
import io.rdmachannel.mempool.RegisteredMemoryPool;

/** The pool that benchmarks share: as a service would make it, without an adapter. */
final class BenchmarkPools {
    private static final long BYTES = 64L << 20;

    private BenchmarkPools() {}

    static RegisteredMemoryPool unregistered() {
        return RegisteredMemoryPool.create(PoolConfig.builder()
                .name("benchmark")
                .initialBytes(BYTES)
                .headroomBytes(64)
                .locking(MemoryLocking.NONE)
                .build());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Memory that the JDK allocates, and zeroes in doing so: for pools without an adapter, on any operating system. */
final class ArenaMemory implements SlabMemory {
    private static final long ALIGNMENT_BYTES = 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;

    ArenaMemory(long bytes) {
        this.segment = arena.allocate(bytes, ALIGNMENT_BYTES);
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public Placement placement() {
        return new Placement(ALIGNMENT_BYTES, NumaNodes.NONE, false, List.of());
    }

    @Override
    public void free() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.channel.RegionRight;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/** Memory of this side that the other side may use, for one-sided tests. Closed after the channel. */
final class TestMemory implements AutoCloseable {
    private static final int PAGE_BYTES = 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;

    /**
     * Makes memory.
     *
     * @param bytes how much is used at most
     */
    TestMemory(int bytes) {
        this.segment = arena.allocate(Math.max(Long.BYTES, bytes), PAGE_BYTES);
    }

    MemorySegment segment() {
        return segment;
    }

    /** Lets the other side use it. */
    void expose(DataLine line) {
        line.channel.expose(DataLine.REGION, segment, EnumSet.allOf(RegionRight.class));
    }

    @Override
    public void close() {
        arena.close();
    }
}

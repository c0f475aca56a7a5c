// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;

/**
 * The memory of one slab. Its segment lives in an arena of its own, so that whoever still has a piece of it at the end
 * gets an exception and not another's memory.
 */
sealed interface SlabMemory permits MappedMemory, ArenaMemory {
    /**
     * Gets memory from where the configuration says.
     *
     * @param config the wishes
     * @param bytes how much; a multiple of the page size
     */
    static SlabMemory of(PoolConfig config, long bytes) {
        return switch (config.source()) {
            case MAPPED -> MappedMemory.map(config, bytes);
            case ARENA -> new ArenaMemory(bytes);
        };
    }

    MemorySegment segment();

    Placement placement();

    /**
     * Gives the memory back; idempotent. No adapter may know it any more.
     *
     * @throws IllegalStateException if a native call is using a piece of it now
     */
    void free();
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.lang.foreign.MemorySegment;

/** Memory with its keys: what a scatter/gather element names. */
public sealed interface RegisteredBuffer permits Lease, LeaseSlice, RegisteredMemory {
    /**
     * Gives the memory.
     *
     * @return a segment over it
     */
    MemorySegment segment();

    /**
     * Gives the address of the first byte, as the adapter knows it.
     *
     * @return the address
     */
    long address();

    /**
     * Gives the number of bytes that count.
     *
     * @return bytes, not more than the segment has
     */
    long length();

    /**
     * Gives the key for work requests of this process.
     *
     * @return the lkey; 0 when not registered
     */
    int localKey();

    /**
     * Gives the key for peers.
     *
     * @return the rkey; 0 when not registered
     */
    int remoteKey();
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Memory of this side that the peer of one channel may use; made by {@link RdmaChannel#expose}. Lives until closed or
 * until its channel is over; the memory must live as long. Belongs to the poller's thread like its channel.
 */
public interface ExposedRegion extends AutoCloseable {
    /**
     * Gives the name that the peer finds it by.
     *
     * @return the name
     */
    String name();

    /**
     * Gives the memory.
     *
     * @return the segment that was exposed
     */
    MemorySegment memory();

    /**
     * Gives the peer's rights.
     *
     * @return an immutable set
     */
    Set<RegionRight> rights();

    /**
     * Revokes: tells the peer, and makes the region's key useless. An operation of the peer that comes later, or was
     * under way, is refused, and the channel fails with it as RDMA requires; so let the peer stop first. Idempotent.
     *
     * @throws WrongThreadException if called by another thread than the poller's
     */
    @Override
    void close();
}

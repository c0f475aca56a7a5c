// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import java.util.List;

/**
 * What a pool looked like at one moment. Taken while other threads go on, so the numbers need not add up exactly.
 *
 * @param capacityBytes mapped memory, oversize included
 * @param maxBytes the hard limit
 * @param idleBytes memory that no size class has taken
 * @param slabs how many mappings there are
 * @param inUse leases that are out
 * @param inUseMax the sum over size classes of the most that were ever out at once; what threads keep for themselves
 *     counts as out here
 * @param claimed buffers set aside in claims, whether out or not
 * @param exhaustions how often a buffer was wanted and there was none, waits that were served included
 * @param failures how often the caller got none in the end
 * @param waits how often a caller waited
 * @param waitNanos how long in all
 * @param growths slabs added since the beginning
 * @param shrinks slabs given back
 * @param registrations how often memory of the pool was registered
 * @param registrationNanos how long that took in all
 * @param leaks leases found lost
 * @param writesAfterRelease writes to released buffers found, in the checked mode
 * @param placement what became of the wishes for the memory, of the first slab
 * @param userMemory what {@link RegisteredMemoryPool#register} keeps
 * @param sizeClasses the size classes that have been used
 */
public record PoolStats(
        long capacityBytes,
        long maxBytes,
        long idleBytes,
        int slabs,
        long inUse,
        long inUseMax,
        long claimed,
        long exhaustions,
        long failures,
        long waits,
        long waitNanos,
        long growths,
        long shrinks,
        long registrations,
        long registrationNanos,
        long leaks,
        long writesAfterRelease,
        Placement placement,
        RegistrationCache.Stats userMemory,
        List<SizeClassStats> sizeClasses) {
    /**
     * Sums up the memory that can be had without growing: what no size class has taken, and the payload of free
     * buffers.
     *
     * @return bytes
     */
    public long freeBytes() {
        return idleBytes
                + sizeClasses.stream()
                        .mapToLong(sizeClass -> (sizeClass.free() + sizeClass.cached()) * sizeClass.bytes())
                        .sum();
    }

    /**
     * Sums up the rest of the mapped memory: buffers that are out or belong to claims, and what headroom and rounding
     * cost.
     *
     * @return bytes
     */
    public long usedBytes() {
        return capacityBytes - freeBytes();
    }

    /**
     * One size class.
     *
     * @param bytes its payload
     * @param carved buffers that there are
     * @param free buffers that anybody can take
     * @param cached buffers that threads keep for themselves
     * @param inUse buffers that are out or belong to claims
     * @param inUseMax the most that were ever out, in claims or with threads
     */
    public record SizeClassStats(long bytes, long carved, long free, long cached, long inUse, long inUseMax) {}
}

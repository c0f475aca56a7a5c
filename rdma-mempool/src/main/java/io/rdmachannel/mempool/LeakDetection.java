// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

/**
 * How much is remembered of who acquired a lease. A lease that became unreachable without having been released is a
 * leak: it is logged and counted once the garbage collector has found it, at the next slow call on the pool (a refill,
 * the statistics, a close).
 */
public enum LeakDetection {
    /** Leaks are not looked for. */
    OFF,
    /**
     * All leaks are counted; some acquires record their stack: one in 32 of those that the thread's own buffers cannot
     * serve. Threads that lose buffers have many of those, threads that return them hardly any, so it costs nothing
     * there.
     */
    SAMPLED,
    /** All leaks are counted and every acquire records its stack, which takes about a microsecond. For tests. */
    FULL
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

/**
 * Whether slabs are locked in memory ({@code mlock(2)}). Registration pins the pages anyway; locking also keeps a pool
 * without registration from being swapped out, and counts against the same limit on its own.
 */
public enum MemoryLocking {
    /** Not locked. */
    NONE,
    /** Locked when the limit allows it; if not, {@link Placement#notes()} says why. */
    BEST_EFFORT,
    /** Locked, or the pool is not made. */
    REQUIRED
}

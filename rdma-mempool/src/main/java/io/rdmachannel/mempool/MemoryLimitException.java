// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.verbs.RdmaException;

/**
 * Memory cannot be locked or pinned, since it would go over the limit of the running process. The message names the
 * need, the limit, what is locked already, and the ways to raise it.
 */
public final class MemoryLimitException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** What was asked for. */
    private final long neededBytes;

    /** The limit in force. */
    private final long limitBytes;

    /** What counted against the limit already. */
    private final long usedBytes;

    MemoryLimitException(String message, long neededBytes, long limitBytes, long usedBytes) {
        super(message);
        this.neededBytes = neededBytes;
        this.limitBytes = limitBytes;
        this.usedBytes = usedBytes;
    }

    /**
     * Gives what was asked for.
     *
     * @return bytes
     */
    public long neededBytes() {
        return neededBytes;
    }

    /**
     * Gives the limit ({@code RLIMIT_MEMLOCK}) of this process.
     *
     * @return bytes
     */
    public long limitBytes() {
        return limitBytes;
    }

    /**
     * Gives what counted against the limit already.
     *
     * @return bytes
     */
    public long usedBytes() {
        return usedBytes;
    }
}

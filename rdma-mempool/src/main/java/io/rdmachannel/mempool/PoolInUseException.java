// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.verbs.RdmaException;

/** A pool cannot be closed, since buffers of it are out: an adapter may still use them. The message names some. */
public final class PoolInUseException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** How many buffers are out. */
    private final long leasesOut;

    PoolInUseException(String message, long leasesOut) {
        super(message);
        this.leasesOut = leasesOut;
    }

    /**
     * Counts the buffers.
     *
     * @return how many are out, those in the stock of claims and users' registered memory included
     */
    public long leasesOut() {
        return leasesOut;
    }
}

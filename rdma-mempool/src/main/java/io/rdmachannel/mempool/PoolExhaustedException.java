// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.verbs.RdmaException;

/** A pool is too small for a claim or a sizing. The message gives the numbers. Acquiring never throws it. */
public final class PoolExhaustedException extends RdmaException {
    private static final long serialVersionUID = 1L;

    PoolExhaustedException(String message) {
        super(message);
    }
}

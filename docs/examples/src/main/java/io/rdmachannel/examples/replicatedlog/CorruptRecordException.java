// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

/** A record in the ring is not what was to come. Out of a handler it ends the channel. */
final class CorruptRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorruptRecordException(String message) {
        super(message);
    }
}

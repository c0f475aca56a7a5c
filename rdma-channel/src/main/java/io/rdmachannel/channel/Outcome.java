// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/** How an accepted operation ended. */
public enum Outcome {
    /**
     * Done: a message was given to the peer's handler; written bytes are in the peer's memory; bytes that were read,
     * and the result of an atomic, are in the local buffer.
     */
    SUCCESS,
    /** The peer refused the access: region revoked, right missing, or out of bounds. The channel has failed with it. */
    REMOTE_ACCESS_ERROR,
    /** The channel failed or was closed first. A message or write may or may not have arrived. */
    CANCELLED,
    /** The channel failed before the answer to an atomic came: it has happened once or not at all. */
    UNKNOWN
}

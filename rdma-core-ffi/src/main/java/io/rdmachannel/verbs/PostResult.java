// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.Errno;

/**
 * What posting work returns: {@link #POSTED}, or the errno value of the provider. Codes and not exceptions, since a
 * full queue is an everyday answer on the data path.
 */
public final class PostResult {
    /** All requests are on the queue; their completions will come. */
    public static final int POSTED = 0;

    /** The queue is full ({@code ENOMEM}): poll the completion queue, and post again what was not posted. */
    public static final int QUEUE_FULL = 12;

    private PostResult() {}

    /**
     * Explains a result.
     *
     * @param result what a post returned
     * @return a sentence with the errno name and what to do
     */
    public static String describe(int result) {
        if (result == POSTED) {
            return "posted";
        }
        if (result == QUEUE_FULL) {
            return Errno.describe(result) + ": the queue is full; poll the completion queue, then post again";
        }
        return Errno.describe(result) + ": the provider refused the request; check the state of the queue pair, the"
                + " opcode, and the number of scatter/gather elements against the granted capabilities";
    }
}

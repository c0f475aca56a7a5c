// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

/** How to wait until something has completed. */
interface CompletionWait {
    /**
     * Waits for completions, which are then in the completions that this was made with.
     *
     * @param limitNanos the longest wait
     * @return how many there are; 0 at the time limit
     */
    int await(long limitNanos);
}

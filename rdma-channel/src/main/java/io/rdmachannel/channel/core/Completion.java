// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.Outcome;

/** Who is told that an operation has ended. */
interface Completion {
    /** Nobody. */
    Completion NONE = (token, outcome) -> {};

    /**
     * An operation has ended.
     *
     * @param token the number that was given with it
     * @param outcome how
     */
    void ended(long token, Outcome outcome);
}

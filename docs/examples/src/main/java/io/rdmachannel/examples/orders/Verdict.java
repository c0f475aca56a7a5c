// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.orders;

/** What the gateway says of an order; the ordinals are on the wire. */
enum Verdict {
    /** Taken. */
    ACKNOWLEDGED,
    /** The side is neither BUY nor SELL. */
    BAD_SIDE,
    /** The price is not positive. */
    BAD_PRICE,
    /** The quantity is not positive, or too large. */
    BAD_QUANTITY,
    /** The client is another one than in the channel's first order. */
    WRONG_CLIENT,
    /** The sequence number is not the next one. */
    OUT_OF_SEQUENCE
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

/**
 * What this side tells the other, and what it keeps to itself.
 *
 * @param line goes to the other side
 * @param gidIndex where the GID is in the local table, which means nothing elsewhere; {@link Options#NO_INDEX} for none
 */
record LocalAddress(ExchangeLine line, int gidIndex) {}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

/** What a peer may do with exposed memory. */
public enum RegionRight {
    /** {@link RdmaChannel#read}. */
    READ,
    /** {@link RdmaChannel#write}, with and without immediate. */
    WRITE,
    /** {@link RdmaChannel#compareAndSwap} and {@link RdmaChannel#fetchAndAdd}. */
    ATOMIC
}

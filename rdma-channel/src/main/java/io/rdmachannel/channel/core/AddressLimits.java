// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** Counts the handshakes of each remote address, so that one address cannot take all places. Any thread. */
final class AddressLimits {
    private final int limit;
    private final Map<InetAddress, Integer> going = new HashMap<>();

    AddressLimits(int limit) {
        this.limit = limit;
    }

    /** A handshake. */
    interface Handshake {
        void run() throws IOException;
    }

    /**
     * Carries on a handshake, unless too many of its address are going on.
     *
     * @throws ChannelException (BUSY) if there are
     * @throws IOException as the handshake does
     */
    void counting(InetAddress address, Handshake handshake) throws IOException {
        synchronized (this) {
            if (going.getOrDefault(address, 0) >= limit) {
                throw new ChannelException(
                        Reason.BUSY,
                        limit + " handshakes of its address are going on, which is handshakesPerAddressMax");
            }
            going.merge(address, 1, Integer::sum);
        }
        try {
            handshake.run();
        } finally {
            synchronized (this) {
                going.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
            }
        }
    }
}

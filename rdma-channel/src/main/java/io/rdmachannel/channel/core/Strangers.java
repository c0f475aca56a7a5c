// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that have not said yet what they are, or not proven it. Of too many the oldest is closed of the address
 * that has the most: whoever has something to say has said it long before, and one address does not push others out.
 * Any thread.
 */
final class Strangers {
    private static final Logger LOGGER = LoggerFactory.getLogger(Strangers.class);

    private final LinkedHashMap<SocketChannel, InetAddress> silent = new LinkedHashMap<>();
    private final Map<InetAddress, Integer> counts = new HashMap<>();
    private final int limit;
    private final Refusals refusals;

    Strangers(int limit, Refusals refusals) {
        this.limit = limit;
        this.refusals = refusals;
    }

    void add(SocketChannel socket) {
        InetAddress address = socket.socket().getInetAddress();
        SocketChannel oldest = null;
        synchronized (this) {
            silent.put(socket, address);
            counts.merge(address, 1, Integer::sum);
            if (silent.size() > limit) {
                oldest = oldestOfMost();
                remove(oldest);
            }
        }
        if (oldest != null) {
            close(oldest);
        }
    }

    synchronized void remove(SocketChannel socket) {
        if (silent.containsKey(socket)) {
            counts.computeIfPresent(silent.remove(socket), (same, count) -> count == 1 ? null : count - 1);
        }
    }

    private SocketChannel oldestOfMost() {
        SocketChannel found = null;
        int most = 0;
        for (Map.Entry<SocketChannel, InetAddress> each : silent.entrySet()) {
            int count = counts.get(each.getValue());
            if (count > most) {
                most = count;
                found = each.getKey();
            }
        }
        return found;
    }

    private void close(SocketChannel oldest) {
        refusals.tell("a connection that has said nothing", "there are more than " + limit + " such ones");
        try {
            oldest.close();
        } catch (IOException unlikely) {
            LOGGER.debug("closing a silent connection", unlikely);
        }
    }
}

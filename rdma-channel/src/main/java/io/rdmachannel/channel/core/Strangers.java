// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that have not said yet what they are. Of too many the oldest is closed: whoever has something to say has
 * said it long before. Any thread.
 */
final class Strangers {
    private static final Logger LOGGER = LoggerFactory.getLogger(Strangers.class);

    private final LinkedHashSet<SocketChannel> silent = new LinkedHashSet<>();
    private final int limit;
    private final Refusals refusals;

    Strangers(int limit, Refusals refusals) {
        this.limit = limit;
        this.refusals = refusals;
    }

    void add(SocketChannel socket) {
        SocketChannel oldest = null;
        synchronized (this) {
            silent.add(socket);
            if (silent.size() > limit) {
                oldest = silent.removeFirst();
            }
        }
        if (oldest != null) {
            close(oldest);
        }
    }

    synchronized void remove(SocketChannel socket) {
        silent.remove(socket);
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

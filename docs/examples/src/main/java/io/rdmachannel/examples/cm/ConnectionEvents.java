// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import io.rdmachannel.cm.ConnectionEvent;
import io.rdmachannel.cm.ConnectionEventType;
import io.rdmachannel.cm.ConnectionId;
import io.rdmachannel.cm.EventChannel;
import io.rdmachannel.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The events of a program that has one connection at a time, each awaited with the same time limit. */
final class ConnectionEvents implements AutoCloseable {
    private final EventChannel channel = EventChannel.create();
    private final Duration limit;

    ConnectionEvents(Duration limit) {
        this.limit = limit;
    }

    /** The limit of each wait. */
    Duration limit() {
        return limit;
    }

    /** Finds the way to a server. */
    ConnectionId resolve(InetSocketAddress server) {
        ConnectionId id = channel.createId(PortSpace.TCP);
        id.resolveAddress(null, server, limit.toMillis(), TimeUnit.MILLISECONDS);
        await(ConnectionEventType.ADDRESS_RESOLVED);
        id.resolveRoute(limit.toMillis(), TimeUnit.MILLISECONDS);
        await(ConnectionEventType.ROUTE_RESOLVED);
        return id;
    }

    /** Takes the first request for a connection, and listens no longer. */
    ConnectionEvent listenForOne(InetSocketAddress local) {
        try (ConnectionId listener = channel.createId(PortSpace.TCP)) {
            listener.reuseAddress(true);
            listener.bindAddress(local);
            listener.listen(1);
            System.out.println("listening on port " + listener.localPort());
            return await(ConnectionEventType.CONNECT_REQUEST);
        }
    }

    /** Waits for one kind of event; any other is a failure. */
    ConnectionEvent await(ConnectionEventType expected) {
        Deadline deadline = Deadline.in(limit);
        while (!deadline.isOver()) {
            ConnectionEvent event = channel.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
            if (event != null) {
                return event.require(expected);
            }
        }
        throw new ExampleException(expected + " did not come within " + limit.toSeconds() + " s");
    }

    /** Looks whether the connection has ended. */
    boolean hasDisconnected() {
        ConnectionEvent event = channel.await(0, TimeUnit.NANOSECONDS);
        return event != null && event.require(ConnectionEventType.DISCONNECTED) != null;
    }

    @Override
    public void close() {
        channel.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.cm;

import io.rdmachannel.testing.Deadline;
import io.rdmachannel.testing.RdmaDevice;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.CompletionQueueConfig;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.QueuePairCapabilities;
import io.rdmachannel.verbs.QueuePairConfig;
import io.rdmachannel.verbs.QueuePairState;
import io.rdmachannel.verbs.QueuePairType;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A client and a server in one process, each with its own event channel. Closing it closes everything. */
final class Ends implements AutoCloseable {
    private final EventChannel clientEvents = EventChannel.create();
    private final EventChannel serverEvents = EventChannel.create();
    private final DeviceContext context = RdmaDevice.find().open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue completions = context.createCompletionQueue(CompletionQueueConfig.ofCapacity(64));

    EventChannel clientEvents() {
        return clientEvents;
    }

    EventChannel serverEvents() {
        return serverEvents;
    }

    ProtectionDomain domain() {
        return domain;
    }

    CompletionQueue completions() {
        return completions;
    }

    /** Listens at an IPv4 address of the device, on any port. */
    ConnectionId listen() {
        return listen(LocalAddresses.ipv4(0).orElseThrow());
    }

    ConnectionId listen(InetSocketAddress local) {
        ConnectionId listener = serverEvents.createId(PortSpace.TCP);
        listener.bindAddress(local);
        listener.listen(8);
        return listener;
    }

    /** A client that has a route. */
    ConnectionId resolve(InetSocketAddress destination) {
        ConnectionId id = clientEvents.createId(PortSpace.TCP);
        id.resolveAddress(null, destination, 10, TimeUnit.SECONDS);
        next(clientEvents, ConnectionEventType.ADDRESS_RESOLVED);
        id.resolveRoute(10, TimeUnit.SECONDS);
        next(clientEvents, ConnectionEventType.ROUTE_RESOLVED);
        return id;
    }

    /** A client that has asked a listener for a connection, with a queue pair in INIT. */
    Peer request(ConnectionId listener, byte... privateData) {
        ConnectionId id = resolve(listener.localAddress().orElseThrow());
        QueuePair queuePair = queuePair(id);
        id.connect(ConnectionParameters.ofQueuePair(queuePair.number()).withPrivateData(privateData));
        return new Peer(id, queuePair);
    }

    /** A queue pair for a connection, in INIT. */
    QueuePair queuePair(ConnectionId id) {
        QueuePairCapabilities capabilities = new QueuePairCapabilities(8, 8, 1, 1, 64);
        QueuePair queuePair = domain.createQueuePair(
                QueuePairConfig.of(QueuePairType.RELIABLE_CONNECTION, completions, capabilities));
        queuePair.modify(id.queuePairChange(QueuePairState.INIT)
                .access(Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)));
        return queuePair;
    }

    /** Accepts a request. */
    Peer accept(ConnectionEvent request, byte... privateData) {
        Peer server = new Peer(request.id(), queuePair(request.id()));
        server.makeReady();
        server.id()
                .accept(ConnectionParameters.ofQueuePair(server.queuePair().number())
                        .withPrivateData(privateData));
        return server;
    }

    /** Waits for the next event, which must be of that type. */
    static ConnectionEvent next(EventChannel events, ConnectionEventType type) {
        return next(events).require(type);
    }

    /** Waits for the next event. */
    static ConnectionEvent next(EventChannel events) {
        Deadline deadline = Deadline.in(90, TimeUnit.SECONDS);
        while (!deadline.isOver()) {
            ConnectionEvent event = events.await(1, TimeUnit.SECONDS);
            if (event != null) {
                return event;
            }
        }
        throw new AssertionError("no event came in time");
    }

    /**
     * One end.
     *
     * @param id its identifier
     * @param queuePair its queue pair
     */
    record Peer(ConnectionId id, QueuePair queuePair) {
        void makeReady() {
            queuePair.modify(id.queuePairChange(QueuePairState.READY_TO_RECEIVE).minRnrTimer(1));
            queuePair.modify(id.queuePairChange(QueuePairState.READY_TO_SEND));
        }
    }

    @Override
    public void close() {
        clientEvents.close();
        serverEvents.close();
        context.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.protocol.PrivateHello;
import io.rdmachannel.channel.protocol.ProtocolException;
import io.rdmachannel.channel.rdma.RdmaSource;
import io.rdmachannel.cm.ConnectionEvent;
import io.rdmachannel.cm.ConnectionEventType;
import io.rdmachannel.cm.ConnectionId;
import io.rdmachannel.cm.ConnectionParameters;
import io.rdmachannel.verbs.QueuePairState;
import io.rdmachannel.verbs.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One handshake by librdmacm, of either side, in a thread that may block. */
final class ManagedHandshake {
    private static final int RETRIES_WITHOUT_END = 7;

    private final HandshakeParts parts;
    private final EventLoop loop;
    private final ChannelConfig config;
    private final ManagedConnection connection;
    private final ConnectionId id;
    private QueuePairLink link;
    private RdmaSource source;
    private Receives receives;

    ManagedHandshake(HandshakeParts parts, ManagedConnection connection) {
        this.parts = parts;
        this.loop = parts.loop();
        this.config = parts.config();
        this.connection = connection;
        this.id = connection.id();
    }

    /**
     * Connects to a listener.
     *
     * @return a channel that only has to begin
     * @throws ChannelException if there will be none; everything is undone then, but for the connection
     */
    ChannelCore connect(InetSocketAddress address) {
        return undoing("connecting to " + address, () -> {
            resolve(address);
            makeLink();
            Fields hello = describe(Session.random());
            id.connect(parameters(hello));
            ConnectionEvent response = connection.await(ConnectionEventType.CONNECT_RESPONSE, parts.deadline());
            Conversation values = agree(PrivateHello.decode(response.privateData()));
            id.establish();
            return core(values);
        });
    }

    /**
     * Answers a request.
     *
     * @return a channel that only has to begin
     * @throws ChannelException if there will be none; everything is undone then, but for the connection
     * @throws ProtocolException if the peer is no channel; likewise
     */
    ChannelCore accept(ConnectionEvent request) {
        return undoing("the request of " + connection.peer(), () -> {
            Fields hello = PrivateHello.decode(request.privateData());
            makeLink();
            Conversation values = agree(hello);
            id.accept(parameters(describe(hello.bytes(Tag.SESSION, Session.BYTES))));
            connection.await(ConnectionEventType.ESTABLISHED, parts.deadline());
            return core(values);
        });
    }

    /** What can fail in between. */
    private interface Steps {
        ChannelCore run();
    }

    private ChannelCore undoing(String what, Steps steps) {
        try {
            return steps.run();
        } catch (RdmaException refused) {
            undo();
            throw new ChannelException(
                    Reason.UNREACHABLE, what + " by librdmacm failed: " + refused.getMessage(), refused);
        } catch (RuntimeException | Error failed) {
            undo();
            throw failed;
        }
    }

    private void resolve(InetSocketAddress address) {
        long millis = parts.deadline().millisLeft();
        id.resolveAddress(null, address, millis, TimeUnit.MILLISECONDS);
        connection.await(ConnectionEventType.ADDRESS_RESOLVED, parts.deadline());
        id.resolveRoute(parts.deadline().millisLeft(), TimeUnit.MILLISECONDS);
        connection.await(ConnectionEventType.ROUTE_RESOLVED, parts.deadline());
    }

    private void makeLink() {
        InetAddress local = id.localAddress()
                .orElseThrow(() -> new ChannelException(Reason.UNAVAILABLE, id + " has no local address"))
                .getAddress();
        source = loop.sources().rdma(config, local);
        link = source.prepare(config);
    }

    private Fields describe(byte[] session) {
        connection.session(session);
        Fields fields = new Fields().put(Tag.SESSION, session);
        Conversation.describe(config, loop.config().sharedReceives(), fields);
        return fields;
    }

    private ConnectionParameters parameters(Fields hello) {
        return ConnectionParameters.ofQueuePair(link.queuePairNumber())
                .withOutstandingReads(ConnectionParameters.DEVICE_MAXIMUM, ConnectionParameters.DEVICE_MAXIMUM)
                .withRetries(config.retryCount(), RETRIES_WITHOUT_END)
                .withSharedReceiveQueue(source.commonReceives() != null)
                .withPrivateData(PrivateHello.encode(hello));
    }

    /** The queue pair is connected when this returns. */
    private Conversation agree(Fields peer) {
        Conversation values = Conversation.between(config, loop.config().sharedReceives(), peer);
        receives = parts.receives(source, values);
        receives.supplyAll(link);
        link.connect(
                id.queuePairChange(QueuePairState.READY_TO_RECEIVE), id.queuePairChange(QueuePairState.READY_TO_SEND));
        return values;
    }

    private ChannelCore core(Conversation values) {
        Agreement agreement = new Agreement(values, Transport.RDMA, Optional.empty());
        return new ChannelCore(parts.setup(agreement, Optional.empty(), link, receives));
    }

    private void undo() {
        if (link != null) {
            link.abandon();
        }
        if (receives != null) {
            receives.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import io.rdmachannel.verbs.AddressVector;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.GlobalRoute;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.QueuePairChange;
import io.rdmachannel.verbs.QueuePairState;
import io.rdmachannel.verbs.QueuePairType;

/** Two connected queue pairs on one device. Closing it closes everything. */
public final class ConnectedPair implements AutoCloseable {
    private static final int QUEUE_KEY = 0x1111_1111;
    private static final int SEQUENCE = 0x00AB_CDEF;

    private final RdmaDevice device;
    private final PairOptions options;
    private final DeviceContext context;
    private final ProtectionDomain domain;
    private final Endpoint left;
    private final Endpoint right;

    private ConnectedPair(RdmaDevice device, DeviceContext context, PairOptions options) {
        this.device = device;
        this.options = options;
        this.context = context;
        this.domain = context.allocateProtectionDomain();
        this.left = new Endpoint(domain, options);
        this.right = new Endpoint(domain, options);
    }

    /** Opens the usual pair, connected. */
    public static ConnectedPair open() {
        return open(PairOptions.usual());
    }

    /** Opens a pair, connected. */
    public static ConnectedPair open(PairOptions options) {
        ConnectedPair pair = unconnected(options);
        try {
            pair.connect(pair.left.queuePair(), pair.right.queuePair().number());
            pair.connect(pair.right.queuePair(), pair.left.queuePair().number());
            return pair;
        } catch (RuntimeException | Error failure) {
            pair.close();
            throw failure;
        }
    }

    /** Opens a pair whose queue pairs are in RESET. */
    public static ConnectedPair unconnected(PairOptions options) {
        RdmaDevice device = RdmaDevice.find();
        DeviceContext context = device.open();
        try {
            return new ConnectedPair(device, context, options);
        } catch (RuntimeException | Error failure) {
            context.close();
            throw failure;
        }
    }

    /** The side that most tests send from. */
    public Endpoint left() {
        return left;
    }

    /** The other side. */
    public Endpoint right() {
        return right;
    }

    /** The context of all. */
    public DeviceContext context() {
        return context;
    }

    /** The domain of all. */
    public ProtectionDomain domain() {
        return domain;
    }

    /** The device that it is on. */
    public RdmaDevice device() {
        return device;
    }

    /** The route to this port itself. */
    public AddressVector route() {
        return AddressVector.toGid(
                device.port(), GlobalRoute.to(device.gid().gid(), device.gid().index()));
    }

    /** The key that datagrams carry here. */
    public int queueKey() {
        return QUEUE_KEY;
    }

    /** Moves a queue pair from RESET to READY_TO_SEND. */
    public void connect(QueuePair queuePair, int destination) {
        queuePair.modify(toInit(queuePair.type()));
        queuePair.modify(toReadyToReceive(queuePair.type(), destination));
        queuePair.modify(toReadyToSend(queuePair.type()));
    }

    /** The first move. */
    public QueuePairChange toInit(QueuePairType type) {
        QueuePairChange change =
                QueuePairChange.to(QueuePairState.INIT).port(device.port()).partitionKeyIndex(0);
        return type == QueuePairType.UNRELIABLE_DATAGRAM
                ? change.queueKey(QUEUE_KEY)
                : change.access(options.queuePairAccess());
    }

    /** The second move. */
    public QueuePairChange toReadyToReceive(QueuePairType type, int destination) {
        QueuePairChange change = QueuePairChange.to(QueuePairState.READY_TO_RECEIVE);
        if (type == QueuePairType.UNRELIABLE_DATAGRAM) {
            return change;
        }
        change.pathMtu(device.mtu())
                .destinationQueuePairNumber(destination)
                .receivePacketSequenceNumber(SEQUENCE)
                .addressVector(route());
        return type == QueuePairType.RELIABLE_CONNECTION
                ? change.maxResponderReads(4).minRnrTimer(1)
                : change;
    }

    /** The third move. */
    public QueuePairChange toReadyToSend(QueuePairType type) {
        QueuePairChange change =
                QueuePairChange.to(QueuePairState.READY_TO_SEND).sendPacketSequenceNumber(SEQUENCE);
        return type == QueuePairType.RELIABLE_CONNECTION
                ? change.timeout(options.timeout())
                        .retryCount(3)
                        .rnrRetry(options.rnrRetry())
                        .maxOutstandingReads(4)
                : change;
    }

    @Override
    public void close() {
        context.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.AddressVector;
import io.rdmachannel.verbs.GlobalRoute;
import io.rdmachannel.verbs.QueuePairChange;
import io.rdmachannel.verbs.QueuePairState;
import java.util.Set;

/**
 * The moves by which a queue pair is connected.
 *
 * @param choice the local port and GID
 * @param config timeouts, retries, traffic class and service level
 */
record QueuePairMoves(DeviceChoice choice, ChannelConfig config) {
    /** 0.64 ms; never 0, which is the longest time. */
    private static final int RECEIVER_NOT_READY_TIMER = 12;

    /** Without end: credits see to it that it does not happen, and deadlines of the channel's end a wait. */
    private static final int RECEIVER_NOT_READY_RETRIES = 7;

    /** What peers may do is decided by the regions; atomics are left out where the device has none. */
    QueuePairChange toInit(boolean atomics) {
        Set<AccessFlag> rights = atomics
                ? Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)
                : Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
        return QueuePairChange.to(QueuePairState.INIT)
                .port(choice.port())
                .partitionKeyIndex(0)
                .access(rights);
    }

    QueuePairChange toReadyToReceive(EndDescription local, EndDescription peer) {
        return QueuePairChange.to(QueuePairState.READY_TO_RECEIVE)
                .addressVector(route(peer))
                .pathMtu(local.mtu().min(peer.mtu()))
                .destinationQueuePairNumber(peer.queuePairNumber())
                .receivePacketSequenceNumber(peer.packetSequenceNumber())
                .maxResponderReads(Math.min(local.responderReads(), peer.initiatorReads()))
                .minRnrTimer(RECEIVER_NOT_READY_TIMER);
    }

    QueuePairChange toReadyToSend(EndDescription local, EndDescription peer) {
        return QueuePairChange.to(QueuePairState.READY_TO_SEND)
                .timeout(config.ackTimeout())
                .retryCount(config.retryCount())
                .rnrRetry(RECEIVER_NOT_READY_RETRIES)
                .sendPacketSequenceNumber(local.packetSequenceNumber())
                .maxOutstandingReads(Math.min(local.initiatorReads(), peer.responderReads()));
    }

    /** What librdmacm has negotiated, but for its delay of 655 ms. */
    QueuePairChange asConfigured(QueuePairChange toReceive) {
        return toReceive.minRnrTimer(RECEIVER_NOT_READY_TIMER);
    }

    /** What librdmacm has negotiated, with this side's timeout and retries. */
    QueuePairChange asConfiguredToSend(QueuePairChange toSend) {
        return toSend.timeout(config.ackTimeout())
                .retryCount(config.retryCount())
                .rnrRetry(RECEIVER_NOT_READY_RETRIES);
    }

    /** On InfiniBand by LID, and by GID too when both sides have told one. */
    private AddressVector route(EndDescription peer) {
        boolean byGid = choice.entry() != null && !peer.gid().isZero();
        AddressVector route = byGid
                ? AddressVector.toGid(choice.port(), globalRoute(peer))
                        .withDestinationLid(choice.ethernet() ? 0 : peer.lid())
                : AddressVector.toLid(choice.port(), peer.lid());
        return route.withServiceLevel(config.serviceLevel());
    }

    private GlobalRoute globalRoute(EndDescription peer) {
        return GlobalRoute.to(peer.gid(), choice.entry().index())
                .withHopLimit(GlobalRoute.DEFAULT_HOP_LIMIT)
                .withTrafficClass(config.trafficClass());
    }
}

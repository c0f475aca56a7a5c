// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.mempool;

import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.AddressVector;
import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.CompletionQueueConfig;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.GidEntry;
import io.rdmachannel.verbs.GlobalRoute;
import io.rdmachannel.verbs.PathMtu;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.QueuePairCapabilities;
import io.rdmachannel.verbs.QueuePairChange;
import io.rdmachannel.verbs.QueuePairConfig;
import io.rdmachannel.verbs.QueuePairState;
import io.rdmachannel.verbs.QueuePairType;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.WorkCompletionStatus;
import io.rdmachannel.verbs.WorkCompletions;
import java.util.Set;

/** Two connected queue pairs of one domain, each other's peer. Closed with its context. */
final class LoopbackPair {
    private static final int PORT = 1;

    private final CompletionQueue completions;
    private final QueuePair left;
    private final QueuePair right;
    private final AddressVector route;

    LoopbackPair(DeviceContext context, ProtectionDomain domain) {
        this.completions = context.createCompletionQueue(CompletionQueueConfig.ofCapacity(64));
        GidEntry gid = context.gidTable(PORT).getFirst();
        this.route = AddressVector.toGid(PORT, GlobalRoute.to(gid.gid(), gid.index()));
        this.left = queuePair(domain);
        this.right = queuePair(domain);
        connect(left, right);
        connect(right, left);
    }

    QueuePair left() {
        return left;
    }

    QueuePair right() {
        return right;
    }

    /** Posts the first request of the left side; gives the status of the first completion. */
    WorkCompletionStatus execute(SendWorkRequests requests) {
        left.postSend(requests, 0);
        WorkCompletions polled = WorkCompletions.ofCapacity(4);
        WorkCompletionStatus[] status = new WorkCompletionStatus[1];
        Pools.await("a completion", () -> {
            if (completions.poll(polled) == 0) {
                return false;
            }
            status[0] = polled.status(0);
            return true;
        });
        return status[0];
    }

    private QueuePair queuePair(ProtectionDomain domain) {
        QueuePairCapabilities capabilities = new QueuePairCapabilities(8, 8, 1, 1, 0);
        return domain.createQueuePair(QueuePairConfig.of(QueuePairType.RELIABLE_CONNECTION, completions, capabilities));
    }

    private void connect(QueuePair queuePair, QueuePair peer) {
        queuePair.modify(QueuePairChange.to(QueuePairState.INIT)
                .port(PORT)
                .partitionKeyIndex(0)
                .access(Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)));
        queuePair.modify(QueuePairChange.to(QueuePairState.READY_TO_RECEIVE)
                .pathMtu(PathMtu.MTU_1024)
                .destinationQueuePairNumber(peer.number())
                .receivePacketSequenceNumber(1)
                .maxResponderReads(1)
                .minRnrTimer(12)
                .addressVector(route));
        queuePair.modify(QueuePairChange.to(QueuePairState.READY_TO_SEND)
                .timeout(14)
                .retryCount(3)
                .rnrRetry(3)
                .sendPacketSequenceNumber(1)
                .maxOutstandingReads(1));
    }
}

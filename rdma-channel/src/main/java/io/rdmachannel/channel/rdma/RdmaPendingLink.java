// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.core.Link;
import io.rdmachannel.channel.core.LinkEvents;
import io.rdmachannel.channel.core.QueuePairLink;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.QueuePairChange;
import io.rdmachannel.verbs.VerbsException;

/**
 * A queue pair that is being connected, in state INIT at first. Belongs to the thread that prepared it until
 * {@link #handOver}. What arrives before {@link #begin} is kept by the device.
 */
final class RdmaPendingLink implements QueuePairLink {
    private final OpenDevice device;
    private final Endpoint endpoint;
    private final QueuePairMoves moves;
    private final EndDescription local;
    private final int completions;
    /** Whether it has become a link, or was abandoned. */
    private boolean ended;

    RdmaPendingLink(OpenDevice device, Endpoint endpoint, QueuePairMoves moves, EndDescription local, int completions) {
        this.device = device;
        this.endpoint = endpoint;
        this.moves = moves;
        this.local = local;
        this.completions = completions;
    }

    @Override
    public void describe(Fields message) {
        local.putInto(message);
    }

    @Override
    public void supply(Lease receive) {
        endpoint.ownReceives().supply(receive);
    }

    /**
     * Moves to READY_TO_RECEIVE and READY_TO_SEND. May block while the neighbour is resolved.
     *
     * @param peer what the peer's end said of itself
     */
    @Override
    public void connect(Fields peer) {
        EndDescription remote = EndDescription.from(peer);
        local.requireReachable(remote);
        move(
                moves.toReadyToReceive(local, remote),
                moves.toReadyToSend(local, remote),
                "GID " + remote.gid() + ", LID " + remote.lid());
    }

    @Override
    public int queuePairNumber() {
        return endpoint.queuePair().number();
    }

    @Override
    public void connect(QueuePairChange toReceive, QueuePairChange toSend) {
        move(moves.asConfigured(toReceive), moves.asConfiguredToSend(toSend), "the peer that librdmacm has found");
    }

    /** Receives are posted before anything can arrive. */
    private void move(QueuePairChange toReceive, QueuePairChange toSend, String peer) {
        submitReceives();
        try {
            endpoint.queuePair().modify(toReceive);
            endpoint.queuePair().modify(toSend);
        } catch (VerbsException refused) {
            throw new ChannelException(
                    ChannelException.Reason.UNAVAILABLE,
                    "no RDMA from " + moves.choice() + " to " + peer + ": " + refused.getMessage(),
                    refused);
        }
    }

    private void submitReceives() {
        int result = endpoint.ownReceives() == null
                ? PostResult.POSTED
                : endpoint.ownReceives().submit();
        if (result != PostResult.POSTED) {
            throw new ChannelException(
                    ChannelException.Reason.TRANSPORT,
                    "receives of " + endpoint + " were refused: " + PostResult.describe(result));
        }
    }

    @Override
    public void handOver(Thread owner) {
        endpoint.handOver(owner);
    }

    @Override
    public Link begin(LinkEvents events) {
        ended = true;
        return device.begin(endpoint, events, completions);
    }

    @Override
    public void abandon() {
        if (!ended) {
            ended = true;
            device.abandon(endpoint, completions);
        }
    }

    @Override
    public String toString() {
        return "pending " + endpoint;
    }
}

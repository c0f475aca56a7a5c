// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.ReceiveWorkRequests;
import java.util.Arrays;

/**
 * The receive side of a link: a row of work requests and the leases that they name, used round and round, since a
 * reliable connection uses receives in their order. Receives are handed to the queue pair several at a time; before
 * the peer is told of them, {@link #submit} must have been called. For one thread; allocates nothing but when it is
 * made.
 */
final class ReceiveRing implements ReceiveSide {
    private static final int CHAIN_MAX = 16;

    private final QueuePair queuePair;
    private final ReceiveWorkRequests row;
    /** What the requests name; a slot that gets the same lease again is filled in already. */
    private final Lease[] leases;

    private final boolean[] taken;
    private final int depth;
    private final int tag;

    private int held;
    private int staged;
    private int fillSlot;
    private int submitSlot;
    private int oldestSlot;

    ReceiveRing(QueuePair queuePair, int depth, int tag) {
        this.queuePair = queuePair;
        this.depth = depth;
        this.tag = tag;
        this.row = ReceiveWorkRequests.allocate(depth, 1);
        this.leases = new Lease[depth];
        this.taken = new boolean[depth];
        Arrays.fill(taken, true);
    }

    @Override
    public void supply(Lease lease) {
        if (!taken[fillSlot]) {
            throw new IllegalStateException("all " + depth + " receives of the queue are in use; supply one more only"
                    + " for each that has arrived, or raise receiveDepth");
        }
        if (leases[fillSlot] != lease) {
            row.begin(fillSlot, WorkRequestId.ofReceive(tag, fillSlot))
                    .add(fillSlot, lease.headroomAddress(), FrameHeader.BYTES + lease.capacity(), lease.localKey());
            leases[fillSlot] = lease;
        }
        taken[fillSlot] = false;
        fillSlot = next(fillSlot, 1);
        held++;
        staged++;
    }

    @Override
    public boolean isChainFull() {
        return staged >= CHAIN_MAX;
    }

    @Override
    public boolean hasStaged() {
        return staged > 0;
    }

    /** The channel counts it among those that it has supplied. */
    @Override
    public void discard(Lease lease) {}

    @Override
    public boolean isDrained() {
        return held == staged;
    }

    @Override
    public int tag() {
        return tag;
    }

    /** A reliable connection uses receives in their order. */
    @Override
    public boolean isNext(int slot) {
        return slot == oldestSlot;
    }

    @Override
    public Lease take(int slot) {
        if (taken[slot]) {
            throw new AssertionError("receive " + slot + " has come back twice");
        }
        oldestSlot = next(slot, 1);
        taken[slot] = true;
        held--;
        return leases[slot];
    }

    @Override
    public int submit() {
        while (staged > 0) {
            int count = Math.min(staged, depth - submitSlot);
            int result = queuePair.postReceive(row, submitSlot, count);
            int taken =
                    result == PostResult.POSTED ? count : Math.clamp(row.firstRejected() - (long) submitSlot, 0, count);
            staged -= taken;
            submitSlot = next(submitSlot, taken);
            if (result != PostResult.POSTED) {
                return result;
            }
        }
        return PostResult.POSTED;
    }

    void handOver(Thread owner) {
        row.handOver(owner);
    }

    private int next(int slot, int steps) {
        return slot + steps == depth ? 0 : slot + steps;
    }
}

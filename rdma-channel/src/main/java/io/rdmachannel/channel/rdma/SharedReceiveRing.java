// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.core.CommonReceives;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.ReceiveWorkRequests;
import io.rdmachannel.verbs.SharedReceiveQueue;

/**
 * The receives of a shared receive queue: a row of work requests and the leases that they name. They come back in any
 * order, so a slot is skipped while its receive is out.
 *
 * <p>A device may keep a receive for ever that it had taken for a queue pair which then failed. A receive that is out
 * while as many that were posted later have come back as the queue is long is replaced by another one; its own buffer
 * is not touched until it comes back, or the queue is destroyed.
 */
final class SharedReceiveRing implements ReceiveSide {
    private static final int CHAIN_MAX = 16;

    /** What the ids of shared receives carry instead of a link's tag. */
    static final int TAG = WorkRequestId.TAGS - 1;

    private final SharedReceiveQueue queue;
    private final ReceiveWorkRequests row;
    private final Lease[] leases;
    private final long[] numbers;
    private final boolean[] stray;
    private final int[] order;
    private final int depth;
    private final int mask;

    private CommonReceives common;
    private long posted;
    private long looked;
    private long latest;
    private int fillSlot;
    private int staged;
    private int strays;

    /** At least twice the slots that are posted, so that one that is free is soon found. */
    SharedReceiveRing(SharedReceiveQueue queue, int depth) {
        int slots = Integer.highestOneBit(4 * depth - 1);
        this.mask = slots - 1;
        this.queue = queue;
        this.depth = depth;
        this.row = ReceiveWorkRequests.allocate(slots, 1);
        this.leases = new Lease[slots];
        this.numbers = new long[slots];
        this.stray = new boolean[slots];
        this.order = new int[slots];
    }

    /** Says who is told of buffers that stray. */
    void account(CommonReceives receives) {
        common = receives;
    }

    @Override
    public void supply(Lease lease) {
        int slot = freeSlot();
        row.begin(slot, WorkRequestId.ofReceive(TAG, slot))
                .add(slot, lease.headroomAddress(), FrameHeader.BYTES + lease.capacity(), lease.localKey());
        leases[slot] = lease;
        numbers[slot] = ++posted;
        order[(int) posted & mask] = slot;
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

    @Override
    public int submit() {
        while (staged > 0) {
            int first = order[(int) (posted - staged + 1) & mask];
            int count = neighbours(first);
            int result = queue.postReceive(row, first, count);
            int taken = result == PostResult.POSTED ? count : Math.clamp((long) row.firstRejected() - first, 0, count);
            staged -= taken;
            if (result != PostResult.POSTED) {
                return result;
            }
        }
        return PostResult.POSTED;
    }

    /** Queue pairs take from it in turns, and end in any order. */
    @Override
    public boolean isNext(int slot) {
        return true;
    }

    @Override
    public Lease take(int slot) {
        Lease lease = leases[slot];
        leases[slot] = null;
        latest = Math.max(latest, numbers[slot]);
        if (stray[slot]) {
            stray[slot] = false;
            strays--;
            common.strayReturned();
        }
        findStrays();
        return lease;
    }

    @Override
    public void discard(Lease lease) {
        common.recycle(lease);
    }

    /** What a failed queue pair had taken comes back with its last completions, or never. */
    @Override
    public boolean isDrained() {
        return true;
    }

    @Override
    public int tag() {
        return TAG;
    }

    void handOver(Thread owner) {
        row.handOver(owner);
        queue.handOver(owner);
    }

    /** Destroys the queue, and gives the buffers back that were in it; all queue pairs are closed. */
    void close() {
        queue.close();
        for (int slot = 0; slot < leases.length; slot++) {
            if (leases[slot] != null) {
                leases[slot].release();
                leases[slot] = null;
            }
        }
    }

    SharedReceiveQueue queue() {
        return queue;
    }

    /** How many of what is staged lie side by side in the row, from the first one. */
    private int neighbours(int first) {
        int count = 1;
        while (count < staged && order[(int) (posted - staged + 1 + count) & mask] == first + count) {
            count++;
        }
        return count;
    }

    private int freeSlot() {
        for (int tries = 0; tries < leases.length; tries++) {
            int slot = fillSlot;
            fillSlot = fillSlot + 1 & mask;
            if (leases[slot] == null) {
                return slot;
            }
        }
        throw new IllegalStateException("all " + leases.length + " slots of " + queue + " are in use");
    }

    /** Looks at receives in the order in which they were posted, once each. */
    private void findStrays() {
        while (looked < posted) {
            long number = looked + 1;
            int slot = order[(int) number & mask];
            boolean isOut = numbers[slot] == number && leases[slot] != null;
            if (isOut && latest - number < depth) {
                return;
            }
            looked = number;
            if (isOut && strays < depth / 2) {
                stray[slot] = true;
                strays++;
                common.strayed();
            }
        }
    }
}

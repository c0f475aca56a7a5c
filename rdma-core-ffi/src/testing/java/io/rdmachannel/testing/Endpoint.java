// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.verbs.CompletionChannel;
import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.CompletionQueueConfig;
import io.rdmachannel.verbs.MemoryRegion;
import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.QueuePairConfig;
import io.rdmachannel.verbs.ReceiveWorkRequests;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.SharedReceiveQueue;
import io.rdmachannel.verbs.SharedReceiveQueueConfig;
import io.rdmachannel.verbs.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** One side of a connection in a test: a queue pair with its completion queue and a region. Closed with its domain. */
public final class Endpoint {
    private static final int ROW = 16;

    private final CompletionChannel channel;
    private final CompletionQueue completions;
    private final SharedReceiveQueue sharedReceives;
    private final QueuePair queuePair;
    private final MemoryRegion region;
    private final SendWorkRequests sends;
    private final ReceiveWorkRequests receives;

    /** Makes one in a domain, its queue pair in RESET. */
    public Endpoint(ProtectionDomain domain, PairOptions options) {
        this.channel = options.hasChannel() ? domain.context().createCompletionChannel() : null;
        this.completions = domain.context()
                .createCompletionQueue(
                        CompletionQueueConfig.ofCapacity(options.completions()).on(channel));
        this.sharedReceives = options.hasSharedReceives()
                ? domain.createSharedReceiveQueue(SharedReceiveQueueConfig.of(ROW, 1))
                : null;
        this.queuePair = domain.createQueuePair(QueuePairConfig.of(options.type(), completions, options.capabilities())
                .takingReceivesFrom(sharedReceives));
        this.region =
                domain.registerMemory(Arena.ofAuto().allocate(options.regionBytes(), 4096), options.regionAccess());
        this.sends = SendWorkRequests.allocate(
                ROW,
                Math.max(1, queuePair.capabilities().maxSendScatterGather()),
                queuePair.capabilities().maxInlineBytes());
        this.receives = ReceiveWorkRequests.allocate(
                ROW, Math.max(1, queuePair.capabilities().maxReceiveScatterGather()));
    }

    /** The channel, or null. */
    public CompletionChannel channel() {
        return channel;
    }

    /** The completion queue of sends and receives. */
    public CompletionQueue completions() {
        return completions;
    }

    /** The shared receive queue, or null. */
    public SharedReceiveQueue sharedReceives() {
        return sharedReceives;
    }

    /** The queue pair. */
    public QueuePair queuePair() {
        return queuePair;
    }

    /** The region. */
    public MemoryRegion region() {
        return region;
    }

    /** A row for requests. */
    public SendWorkRequests sends() {
        return sends;
    }

    /** A row for receives. */
    public ReceiveWorkRequests receives() {
        return receives;
    }

    /** Begins a signaled request in the first slot. */
    public SendWorkRequests begin(WorkRequestOpcode opcode, long id) {
        return sends.begin(0, opcode, id, true);
    }

    /** Posts the first slot, which must be taken. */
    public void post() {
        assertThat(PostResult.describe(queuePair.postSend(sends, 0))).isEqualTo("posted");
    }

    /** Posts a receive into a part of the region, which must be taken. */
    public void receive(long id, long offset, long length) {
        receives.begin(0, id).add(0, region, offset, length);
        int result = sharedReceives == null
                ? queuePair.postReceive(receives, 0)
                : sharedReceives.postReceive(receives, 0, 1);
        assertThat(PostResult.describe(result)).isEqualTo("posted");
    }

    /** Waits for the next completion. */
    public Completion next() {
        return next(1).getFirst();
    }

    /** Waits for the next completions. */
    public List<Completion> next(int count) {
        return Completion.await(completions, count);
    }

    /** Writes bytes into the region. */
    public void write(long offset, byte... bytes) {
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, region.memory(), offset, bytes.length);
    }

    /** Reads bytes of the region. */
    public byte[] read(long offset, int length) {
        return region.memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Fills a part of the region with a pattern that depends on the place. */
    public void fill(long offset, int length, int seed) {
        write(offset, pattern(length, seed));
    }

    /** Returns the pattern. */
    public static byte[] pattern(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int index = 0; index < length; index++) {
            bytes[index] = (byte) (seed + index * 31 + (index >> 8));
        }
        return bytes;
    }
}

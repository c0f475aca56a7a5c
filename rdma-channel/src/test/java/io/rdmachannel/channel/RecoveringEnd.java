// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.mempool.Lease;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One end of a channel that is interrupted again and again: everything that it sends is numbered, and everything that
 * arrives is checked to be the next, once, and whole.
 */
final class RecoveringEnd extends Recorder {
    private static final int SLOTS = 512;
    private static final int SLOT_BYTES = 64;
    private static final int OUTSTANDING_MAX = 40;
    private static final long COUNTER = 0;

    final MemorySegment region = Arena.ofShared().allocate((long) (SLOTS + 1) * SLOT_BYTES, 4096);
    private final SplittableRandom random;
    private final MemorySegment memory = Arena.ofShared().allocate(300_000);
    private final ArrayDeque<Lease> results = new ArrayDeque<>();
    private RdmaChannel channel;
    private RemoteRegion remote;
    long sent;
    long received;
    int immediatesSent;
    int immediatesTold;
    long tokens;
    long tokensTold;
    long addsDone;
    long addsUnknown;
    /** What has neither ended well nor been an addition of unknown outcome: nothing, unless the channel ended. */
    long cancelled;

    RecoveringEnd(long seed) {
        this.random = new SplittableRandom(seed);
    }

    void begin(RdmaChannel opened) {
        channel = opened;
        opened.expose("recovering", region, Set.of(RegionRight.values()));
    }

    boolean isReady() {
        remote = channel.remoteRegion("recovering").orElse(null);
        return remote != null;
    }

    boolean isIdle() {
        return tokens == tokensTold;
    }

    /** Does something, if there is room for it. */
    void step() {
        if (tokens - tokensTold >= OUTSTANDING_MAX) {
            return;
        }
        switch (random.nextInt(8)) {
            case 0 -> write();
            case 1 -> writeWithImmediate();
            case 2 -> add();
            case 3 -> read();
            default -> send();
        }
    }

    /** What the peer's additions can have led to. */
    long counter() {
        return region.get(ValueLayout.JAVA_LONG, COUNTER);
    }

    @Override
    public void onMessage(RdmaChannel of, MemorySegment buffer, long offset, long length) {
        assertThat(buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, offset)).isEqualTo(received);
        long sum = buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8);
        assertThat(Contents.checksum(buffer, offset + 16, length - 16)).isEqualTo(sum);
        received++;
    }

    @Override
    public void onWriteWithImmediate(RdmaChannel of, int immediate, long length) {
        assertThat(immediate).isEqualTo(immediatesTold);
        // It was written before, so the peer's number is there.
        long slot = (1L + immediate % SLOTS) * SLOT_BYTES;
        assertThat(region.get(ValueLayout.JAVA_LONG, slot)).isGreaterThanOrEqualTo(immediate);
        immediatesTold++;
    }

    @Override
    public void onCompletion(RdmaChannel of, long token, Outcome outcome) {
        super.onCompletion(of, token, outcome);
        tokensTold++;
        if (token % 4 == 2) {
            addsDone += outcome == Outcome.SUCCESS ? 1 : 0;
            addsUnknown += outcome == Outcome.UNKNOWN ? 1 : 0;
            results.remove().release();
        }
        boolean isUnknownAdd = token % 4 == 2 && outcome == Outcome.UNKNOWN;
        cancelled += outcome == Outcome.SUCCESS || isUnknownAdd ? 0 : 1;
    }

    private void send() {
        int length = 16 + (random.nextInt(10) == 0 ? random.nextInt(200_000) : random.nextInt(4_000));
        memory.set(ValueLayout.JAVA_LONG, 16 + random.nextInt(1000) * 8L, random.nextLong());
        memory.set(ValueLayout.JAVA_LONG, 0, sent);
        memory.set(ValueLayout.JAVA_LONG, 8, Contents.checksum(memory, 16, length - 16L));
        if (begun(channel.send(memory, 0, length, token(0)))) {
            sent++;
        }
    }

    private void write() {
        withLease(source ->
                begun(channel.write(source, 8, remote, (long) SLOTS * SLOT_BYTES + 8, SLOT_BYTES - 8L, token(1))));
    }

    private void writeWithImmediate() {
        withLease(source -> {
            long slot = (1L + immediatesSent % SLOTS) * SLOT_BYTES;
            source.segment().set(ValueLayout.JAVA_LONG, 0, immediatesSent);
            immediatesSent +=
                    begun(channel.writeWithImmediate(source, 0, remote, slot, SLOT_BYTES, immediatesSent, token(1)))
                            ? 1
                            : 0;
        });
    }

    private void read() {
        withLease(target -> begun(channel.read(remote, SLOT_BYTES, target, 0, SLOT_BYTES, token(3))));
    }

    /** The channel keeps it for as long as it needs it. */
    private void withLease(Consumer<Lease> action) {
        Lease lease = channel.acquire(SLOT_BYTES);
        if (lease != null) {
            action.accept(lease);
            lease.release();
        }
    }

    private void add() {
        Lease result = channel.acquire(8);
        if (result != null && begun(channel.fetchAndAdd(remote, COUNTER, 1, result, token(2)))) {
            results.add(result);
        } else if (result != null) {
            result.release();
        }
    }

    private long token(int kind) {
        return tokens * 4 + kind;
    }

    private boolean begun(Submission answer) {
        assertThat(answer.isAccepted() || answer.isBackPressure()).isTrue();
        tokens += answer.isAccepted() ? 1 : 0;
        return answer.isAccepted();
    }
}

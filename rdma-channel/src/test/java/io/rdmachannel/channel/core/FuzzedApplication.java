// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ExposedRegion;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The user of a channel whose peer is the fuzzer: does what a script wants, within what the interface allows, and
 * remembers what it was promised. Its regions have other memory around them, which must not change.
 */
final class FuzzedApplication implements ChannelHandler {
    private static final int REGION_BYTES = 4096;
    private static final int WHOLE = 2048;
    private static final int READ_ONLY = 10 * 1024;
    private static final int REVOCABLE = 18 * 1024;
    private static final int BUFFER_BYTES = 512;
    private static final byte UNTOUCHED = 0x5A;
    private static final MemorySegment MEMORY = Arena.ofAuto().allocate(24 * 1024, 64);
    private static final MemorySegment BEFORE = Arena.ofAuto().allocate(24 * 1024, 64);
    private static final Set<Reason> PEERS_FAULT = EnumSet.of(Reason.PROTOCOL, Reason.REMOTE_ACCESS, Reason.PEER_GONE);

    private final Set<Long> promised = new HashSet<>();
    private final Map<Long, Lease> filling = new HashMap<>();
    private final List<Lease> kept = new ArrayList<>();
    private RdmaChannel channel;
    private RemoteRegion remote;
    private ExposedRegion revocable;
    private MemorySegment revoked;
    private long tokens;
    private boolean retains;
    private boolean replies;

    FuzzedApplication() {
        MEMORY.fill(UNTOUCHED);
        BEFORE.fill(UNTOUCHED);
    }

    void begin(RdmaChannel begun) {
        channel = begun;
        channel.expose("whole", region(WHOLE), EnumSet.allOf(RegionRight.class));
        channel.expose("readable", region(READ_ONLY), EnumSet.of(RegionRight.READ));
    }

    /** Does one thing, if that is possible now. */
    void act(FuzzScript script) {
        int what = script.next(14);
        switch (what) {
            case 10 -> retains = !retains;
            case 11 -> replies = !replies;
            case 12 -> releaseKept();
            case 13 -> channel.close();
            default -> {
                if (channel.state().isOpen()) {
                    actOpen(what, script.nextShort());
                }
            }
        }
    }

    private void actOpen(int what, int length) {
        switch (what) {
            case 0 -> send(length % (FuzzedChannel.EAGER_BYTES + 1));
            case 1 -> send(FuzzedChannel.EAGER_BYTES + 1 + length % 4096);
            case 2 -> toggleRegion();
            case 3 -> channel.sendAsync(MEMORY.asSlice(0, length % 100));
            default -> {
                if (remote != null && !remote.isRevoked()) {
                    operate(what, length % BUFFER_BYTES);
                }
            }
        }
    }

    private void operate(int what, int length) {
        Lease buffer = channel.acquire(BUFFER_BYTES);
        if (buffer == null) {
            return;
        }
        buffer.segment().fill(UNTOUCHED);
        long token = tokens + 1;
        Submission answer = switch (what) {
            case 4 -> channel.write(buffer, 0, remote, 0, length, token);
            case 5 -> channel.writeWithImmediate(buffer, 0, remote, 0, length, 7, token);
            case 6 -> channel.read(remote, 0, buffer, 0, length, token);
            case 7 -> channel.read(remote, 0, List.of(buffer), token);
            case 8 -> channel.compareAndSwap(remote, 8, 1, 2, buffer, token);
            default -> channel.fetchAndAdd(remote, 8, 1, buffer, token);
        };
        boolean fills = what > 5 && (what != 6 || length >= Long.BYTES);
        if (fills && answer.isAccepted()) {
            filling.put(token, buffer);
        } else {
            buffer.release();
        }
        promise(answer);
    }

    private void send(int length) {
        promise(channel.send(MEMORY, 0, length, tokens + 1));
    }

    private void promise(Submission answer) {
        if (answer.isAccepted()) {
            tokens++;
            promised.add(tokens);
        }
    }

    private void toggleRegion() {
        if (revocable != null) {
            revocable.close();
            revocable = null;
            revoked = Arena.ofAuto().allocate(REGION_BYTES).copyFrom(region(REVOCABLE));
            return;
        }
        try {
            revocable = channel.expose("revocable", region(REVOCABLE), EnumSet.allOf(RegionRight.class));
            revoked = null;
        } catch (IllegalStateException expected) {
            // There was no credit to tell the peer.
        }
    }

    @Override
    public void onMessage(RdmaChannel from, MemorySegment buffer, long offset, long length) {
        require(offset >= 0 && offset + length <= buffer.byteSize(), "a message that lies beyond its buffer");
        if (retains) {
            kept.add(channel.retainMessage());
        }
        if (replies) {
            send((int) length % FuzzedChannel.EAGER_BYTES);
        }
    }

    @Override
    public void onCompletion(RdmaChannel of, long token, Outcome outcome) {
        require(promised.remove(token), "the end of " + token + " is told, which was not begun or has ended");
        Lease buffer = filling.remove(token);
        if (buffer != null) {
            boolean filled = buffer.segment().asSlice(0, Long.BYTES).mismatch(BEFORE.asSlice(0, Long.BYTES)) >= 0;
            buffer.release();
            require(filled || outcome != Outcome.SUCCESS, "a read is told as done whose data have not come");
        }
    }

    @Override
    public void onRegionExposed(RdmaChannel by, RemoteRegion region) {
        remote = region;
    }

    /** Whether all ended as it may when a peer does anything. The channel is over. */
    void check() {
        releaseKept();
        require(channel.state().isOver(), "the channel is " + channel.state());
        channel.failure()
                .map(ChannelException::reason)
                .ifPresent(reason -> require(
                        PEERS_FAULT.contains(reason),
                        "it failed: " + channel.failure().get()));
        require(promised.isEmpty(), "nobody told the ends of " + promised);
        requireUntouched(0, WHOLE);
        requireUntouched(WHOLE + REGION_BYTES, revocable == null && revoked == null ? MEMORY.byteSize() : REVOCABLE);
        requireUntouched(REVOCABLE + REGION_BYTES, MEMORY.byteSize());
        require(revoked == null || revoked.mismatch(region(REVOCABLE)) < 0, "a revoked region was written to");
    }

    private void releaseKept() {
        kept.forEach(Lease::release);
        kept.clear();
    }

    private static void requireUntouched(long from, long to) {
        long length = to - from;
        boolean same = MEMORY.asSlice(from, length).mismatch(BEFORE.asSlice(from, length)) < 0;
        require(same, "memory that is not exposed for writing has changed, from " + from + " to " + to);
    }

    private static MemorySegment region(int at) {
        return MEMORY.asSlice(at, REGION_BYTES);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import io.rdmachannel.channel.ChannelConfigBuilder;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.CompletionMode;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RdmaListener;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.examples.support.ExampleException;
import io.rdmachannel.examples.support.Wait;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;

/**
 * Has a ring that the leader writes to, and applies what lands there. One thread, which polls: the one that opened
 * it.
 */
final class Follower implements ChannelHandler, AutoCloseable {
    /** The name of the ring for the leader. */
    static final String RING = "log";

    private final Poller poller;
    private final RdmaListener listener;
    private final MemorySegment ring;
    private final StateMachine state = new StateMachine();
    private final MemorySegment report = Arena.ofAuto().allocate(AppliedReport.BYTES, Long.BYTES);
    /** Up to here records have been applied, and the leader may overwrite them once it knows. */
    private long position;

    private long reported;
    private RdmaChannel leader;

    private Follower(Poller poller, InetSocketAddress address, ChannelConfigBuilder config, int ringBytes) {
        this.poller = poller;
        this.ring = Arena.ofAuto().allocate(ringBytes, Long.BYTES);
        this.listener = RdmaListener.bind(address, config.poller(poller).build(), () -> this);
    }

    static Follower open(InetSocketAddress address, ChannelConfigBuilder config, CompletionMode mode, int ringBytes) {
        Poller poller = Poller.create(PollerConfig.of("follower").withMode(mode));
        try {
            return new Follower(poller, address, config, ringBytes);
        } catch (RuntimeException failed) {
            poller.close();
            throw failed;
        }
    }

    InetSocketAddress address() {
        return listener.address();
    }

    StateMachine state() {
        return state;
    }

    /**
     * Follows the first leader that comes, until it closes.
     *
     * @throws ChannelException if the channel fails, as with a corrupt record
     */
    void follow(Duration limit) throws InterruptedException {
        RdmaChannel channel = listener.accept(limit);
        if (channel == null) {
            throw new ExampleException("no leader came within " + limit.toSeconds() + " s");
        }
        Wait.until(poller, limit, "the leader's end", () -> {
            reportProgress(channel);
            return channel.state().isOver();
        });
        ChannelException failure = channel.failure().orElse(null);
        channel.close();
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void onStateChange(RdmaChannel channel, ChannelState before, ChannelState now) {
        if (now == ChannelState.CONNECTED && leader == null) {
            leader = channel;
            channel.expose(RING, ring, Set.of(RegionRight.WRITE));
        } else if (now == ChannelState.CONNECTED) {
            // Another leader's writes would mix with the first one's.
            channel.close();
        }
    }

    /**
     * The immediate is the record's size in the ring: with it the place follows, by the rule that both sides know.
     */
    @Override
    public void onWriteWithImmediate(RdmaChannel channel, int bytes, long length) {
        if (bytes != length
                || bytes < RecordLayout.HEADER_BYTES
                || bytes > ring.byteSize() / RingPosition.RECORD_SHARE) {
            throw new CorruptRecordException("a record of " + bytes + " bytes, of which " + length + " were written");
        }
        long begin = RingPosition.begin(position, bytes, ring.byteSize());
        MemorySegment record = ring.asSlice(begin % ring.byteSize(), bytes);
        state.apply(RecordLayout.read(record, state.applied() + 1));
        position = begin + bytes;
    }

    @Override
    public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
        throw new CorruptRecordException("a leader sends no messages, and one of " + length + " bytes came");
    }

    @Override
    public void close() {
        listener.close();
        poller.close();
    }

    /** One report stands for all records of a poll; when there is no room it waits, and stands for more. */
    private void reportProgress(RdmaChannel channel) {
        if (state.applied() > reported) {
            AppliedReport.put(report, state.applied(), position);
            if (channel.send(report, 0, AppliedReport.BYTES).isAccepted()) {
                reported = state.applied();
            }
        }
    }
}

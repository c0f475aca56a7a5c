// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.examples.support.ExampleException;
import io.rdmachannel.examples.support.Wait;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Appends records, and replicates them. One thread: the poller's. A follower that fails is left behind; the leader
 * goes on as long as it makes a majority with the others.
 */
final class Leader implements AutoCloseable {
    private static final int RECORDS_KEPT = 1 << 16;

    private final Poller poller;
    private final List<FollowerLink> followers;
    private final RecordLog log = new RecordLog(RECORDS_KEPT);
    private final StateMachine state = new StateMachine();
    private final Duration limit;
    private long committed;

    private Leader(Poller poller, List<FollowerLink> followers, Duration limit) {
        this.poller = poller;
        this.followers = followers;
        this.limit = limit;
    }

    /** Connects to all followers, one after the other. */
    static Leader connect(Poller poller, List<InetSocketAddress> addresses, ChannelConfig config, Duration limit)
            throws InterruptedException {
        List<FollowerLink> links = new ArrayList<>();
        for (InetSocketAddress address : addresses) {
            FollowerLink link = new FollowerLink();
            RdmaChannel channel = RdmaChannel.connect(address, config, link);
            Wait.until(
                    poller,
                    limit,
                    "the ring of " + address,
                    () -> channel.remoteRegion(Follower.RING).isPresent()
                            || channel.state().isOver());
            link.begin(
                    channel,
                    channel.remoteRegion(Follower.RING)
                            .orElseThrow(() -> new ExampleException("follower " + address + " exposes no ring")));
            links.add(link);
        }
        return new Leader(poller, links, limit);
    }

    /**
     * Appends a record, and begins to replicate it. Polls when the slowest follower is too far behind.
     *
     * @param data not to be changed any more
     * @return its index, from 1
     */
    long append(byte[] data) {
        if (followers.stream()
                .anyMatch(link -> RecordLayout.bytes(data.length) > link.ringBytes() / RingPosition.RECORD_SHARE)) {
            throw new IllegalArgumentException("a record of " + data.length + " bytes is more than half of a ring");
        }
        pollUntil("the slowest follower", () -> log.last() - slowest() < log.capacity());
        long index = log.append(data);
        state.apply(data);
        replicate();
        return index;
    }

    /** Polls until a record is committed. */
    void awaitCommitted(long index) {
        pollUntil("the commit of record " + index, () -> committed() >= index);
    }

    /** Polls until every follower that is alive has applied a record. */
    void awaitApplied(long index) {
        pollUntil("record " + index + " everywhere", () -> slowest() >= index);
    }

    /** The last record that a majority has: this leader, and the followers that it takes. */
    long committed() {
        int needed = (followers.size() + 1) / 2;
        long[] applied =
                followers.stream().mapToLong(FollowerLink::applied).sorted().toArray();
        committed = Math.max(committed, applied[applied.length - needed]);
        return committed;
    }

    StateMachine state() {
        return state;
    }

    long followersAlive() {
        return followers.stream().filter(FollowerLink::isAlive).count();
    }

    /** Closes the channels; followers see that as the end of the log. */
    @Override
    public void close() {
        for (FollowerLink link : followers) {
            link.channel().close();
        }
    }

    private void replicate() {
        for (FollowerLink link : followers) {
            link.replicate(log);
        }
        if (followersAlive() < (followers.size() + 1) / 2) {
            throw new ExampleException("the majority is lost: " + followersAlive() + " of " + followers.size()
                    + " followers are left; the last committed record is " + committed());
        }
    }

    private long slowest() {
        return followers.stream()
                .filter(FollowerLink::isAlive)
                .mapToLong(FollowerLink::applied)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private void pollUntil(String what, BooleanSupplier condition) {
        Wait.until(poller, limit, what, () -> {
            replicate();
            return condition.getAsBoolean();
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.mempool.Lease;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What the parts of the contract share: a pair of channels, driven by the test's thread, and its end. */
@Timeout(value = 180, threadMode = ThreadMode.SAME_THREAD)
abstract class ContractPair {
    static final Set<RegionRight> ALL = Set.of(RegionRight.values());

    final Recorder atLeft = new Recorder();
    final Recorder atRight = new Recorder();
    ChannelPair pair;

    /** How the pair is made; called once for each test. */
    abstract ChannelPair.Setup setup() throws Exception;

    @AfterEach
    void shouldLeaveNothing() {
        if (pair != null) {
            pair.close();
        }
    }

    final ChannelPair open() throws Exception {
        return new ChannelPair(setup(), atLeft, atRight);
    }

    final void send(RdmaChannel channel, MemorySegment memory) {
        pair.pollUntil(
                "a message is taken",
                () -> channel.send(memory, 0, memory.byteSize()).isAccepted());
    }

    final RemoteRegion exposeAtRight(String name, MemorySegment memory, Set<RegionRight> rights) {
        pair.right.expose(name, memory, rights);
        pair.pollUntil("the region is known", () -> pair.left.remoteRegion(name).isPresent());
        RemoteRegion region = pair.left.remoteRegion(name).orElseThrow();
        assertThat(region.rights()).isEqualTo(rights);
        return region;
    }

    final Lease lease(long bytes) {
        Lease lease = pair.left.acquire(bytes);
        assertThat(lease).isNotNull();
        return lease;
    }

    /** How many messages a side can keep. */
    static int receives(RdmaChannel channel) {
        return channel.poller()
                .config()
                .sharedReceives()
                .map(shared -> Math.min(shared.receives() / 2, channel.config().receiveDepth()))
                .orElse(channel.config().receiveDepth());
    }

    final void closeBoth() {
        pair.leftPoller.execute(pair.left::close);
        pair.pollUntil(
                "both have ended",
                () -> pair.left.state().isOver() && pair.right.state().isOver());
    }

    static int sendSome(RdmaChannel channel, MemorySegment memory, int sent, int count) {
        int now = sent;
        while (now < count && channel.send(memory, 0, sizeOf(now)).isAccepted()) {
            now++;
        }
        return now;
    }

    static int sizeOf(int number) {
        return number % 50 == 0 ? 10_000 + number % 1000 : number % 3000;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.replicatedlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelConfigBuilder;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.examples.support.ChildJvm;
import io.rdmachannel.examples.support.ExampleException;
import io.rdmachannel.examples.support.Wait;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class ReplicatedLogTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int SMALL_RING = 4096;

    @Test
    void shouldApplyTheSameRecordsEverywhereThroughRingsThatAreFarTooSmall() throws Exception {
        int count = 5_000;
        FollowerThread first = FollowerThread.start(SMALL_RING);
        FollowerThread second = FollowerThread.start(SMALL_RING + 1000);
        try (Poller poller = Poller.create(PollerConfig.of("leader"))) {
            StateMachine state;
            try (Leader leader = lead(poller, first.address(), second.address())) {
                SplittableRandom random = new SplittableRandom(1);
                for (int i = 1; i <= count; i++) {
                    byte[] data = new byte[random.nextInt(2000)];
                    random.nextBytes(data);
                    assertThat(leader.append(data)).isEqualTo(i);
                }
                leader.awaitCommitted(count);
                leader.awaitApplied(count);
                assertThat(leader.committed()).isEqualTo(count);
                state = leader.state();
            }
            for (FollowerThread follower : List.of(first, second)) {
                assertThat(follower.end().applied()).isEqualTo(count);
                assertThat(follower.end().digest()).isEqualTo(state.digest());
            }
        }
    }

    @Test
    void shouldCommitWithoutAFollowerThatWasKilled() throws Exception {
        FollowerThread stays = FollowerThread.start(1 << 16);
        try (ChildJvm dies = ChildJvm.start(
                        ReplicatedLog.class, "follower", "--transport", "tcp", "--port", "0", "--ring", "65536");
                Poller poller = Poller.create(PollerConfig.of("leader"))) {
            try (Leader leader = lead(poller, stays.address(), loopback(dies.port()))) {
                append(leader, 2_000);
                leader.awaitApplied(2_000);
                dies.kill();
                append(leader, 2_000);
                leader.awaitCommitted(4_000);
                leader.awaitApplied(4_000);
                assertThat(leader.committed()).isEqualTo(4_000);
                Wait.until(poller, LIMIT, "the loss", () -> leader.followersAlive() == 1);
            }
            assertThat(stays.end().applied()).isEqualTo(4_000);
        }
    }

    @Test
    void shouldNotCommitWithoutAMajority() throws Exception {
        try (ChildJvm first = follower();
                ChildJvm second = follower();
                Poller poller = Poller.create(PollerConfig.of("leader"));
                Leader leader = lead(poller, loopback(first.port()), loopback(second.port()))) {
            append(leader, 10);
            leader.awaitCommitted(10);
            first.kill();
            second.kill();
            Wait.until(poller, LIMIT, "the loss", () -> leader.followersAlive() == 0);
            assertThatThrownBy(() -> append(leader, 1))
                    .isInstanceOf(ExampleException.class)
                    .hasMessageContaining("the majority is lost");
            assertThat(leader.committed()).isEqualTo(10);
        }
    }

    @Test
    void shouldNotApplyARecordWithAWrongChecksum() throws Exception {
        FollowerThread follower = FollowerThread.start(SMALL_RING);
        try (Poller poller = Poller.create(PollerConfig.of("leader"))) {
            RdmaChannel channel = RdmaChannel.connect(
                    follower.address(), tcp().poller(poller).build(), (from, buffer, offset, length) -> {});
            Wait.until(
                    poller,
                    LIMIT,
                    "the ring",
                    () -> channel.remoteRegion(Follower.RING).isPresent());
            RemoteRegion ring = channel.remoteRegion(Follower.RING).orElseThrow();
            write(channel, ring, 0, 1, false);
            write(channel, ring, RecordLayout.bytes(100), 2, true);
            Wait.until(poller, LIMIT, "the end", () -> channel.state().isOver());
            channel.close();
            assertThatThrownBy(follower::end)
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("record 2 of 100 bytes has a wrong checksum");
            assertThat(follower.applied()).isEqualTo(1);
        }
    }

    @Test
    void shouldFollowNoSecondLeader() throws Exception {
        FollowerThread follower = FollowerThread.start(SMALL_RING);
        try (Poller poller = Poller.create(PollerConfig.of("leaders"))) {
            ChannelConfig config = tcp().poller(poller).build();
            RdmaChannel first = RdmaChannel.connect(follower.address(), config, (from, buffer, offset, length) -> {});
            Wait.until(
                    poller,
                    LIMIT,
                    "the ring",
                    () -> first.remoteRegion(Follower.RING).isPresent());
            RdmaChannel second = RdmaChannel.connect(follower.address(), config, (from, buffer, offset, length) -> {});
            Wait.until(poller, LIMIT, "the second's end", () -> second.state().isOver());
            assertThat(second.failure()).isEmpty();
            write(first, first.remoteRegion(Follower.RING).orElseThrow(), 0, 1, false);
            first.close();
            second.close();
            assertThat(follower.end().applied()).isEqualTo(1);
        }
    }

    @Test
    void shouldRunInProcessesOfTheirOwn() throws Exception {
        try (ChildJvm first = follower();
                ChildJvm second = follower();
                ChildJvm leader = ChildJvm.start(
                        ReplicatedLog.class,
                        "leader",
                        "--transport",
                        "tcp",
                        "--records",
                        "3000",
                        "127.0.0.1:" + first.port(),
                        "127.0.0.1:" + second.port())) {
            assertThat(leader.status()).as(leader.output()).isZero();
            String digest = leader.restOfLine("appended 3000 records, digest ");
            assertThat(leader.output()).contains("followers alive: 2").contains("append to commit: median");
            for (ChildJvm follower : List.of(first, second)) {
                assertThat(follower.status()).as(follower.output()).isZero();
                assertThat(follower.restOfLine("applied 3000 records, digest ")).isEqualTo(digest);
            }
        }
    }

    private static void write(RdmaChannel channel, RemoteRegion ring, long at, long index, boolean spoilt) {
        int bytes = RecordLayout.bytes(100);
        Lease source = channel.acquire(bytes);
        RecordLayout.put(source.segment(), index, new byte[100]);
        if (spoilt) {
            source.segment().set(ValueLayout.JAVA_BYTE, bytes - 8, (byte) 1);
        }
        assertThat(channel.writeWithImmediate(source, 0, ring, at, bytes, bytes, index)
                        .isAccepted())
                .isTrue();
        source.release();
    }

    private static void append(Leader leader, int count) {
        for (int i = 0; i < count; i++) {
            leader.append(new byte[i % 500]);
        }
    }

    private static Leader lead(Poller poller, InetSocketAddress... followers) throws InterruptedException {
        return Leader.connect(poller, List.of(followers), tcp().poller(poller).build(), LIMIT);
    }

    private static ChildJvm follower() {
        return ChildJvm.start(ReplicatedLog.class, "follower", "--transport", "tcp", "--port", "0");
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    static ChannelConfigBuilder tcp() {
        return ChannelConfig.builder().transport(Transport.TCP);
    }
}

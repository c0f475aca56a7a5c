// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.rdma.PeerDescription;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.testing.LoopbackFaults;
import io.rdmachannel.testing.LoopbackFaults.Work;
import io.rdmachannel.testing.LoopbackTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others have had trouble with in RDMA, by its number in docs/known-troubles.md, without a device. */
@LoopbackTest
@Timeout(value = 120, threadMode = ThreadMode.SAME_THREAD)
class LoopbackKnownTroublesTest extends ContractPair {
    private static final int LEFT = 0;
    private static final int RDMA = 2;
    private static final int CLOSES = Integer.getInteger("channel.troubles.closes", 30);
    private static final int CLOSED_MESSAGE_BYTES = Integer.getInteger("channel.troubles.closeBytes", 1 << 17);

    @Override
    ChannelPair.Setup setup() {
        return setup(config());
    }

    @Test
    void shouldNotTakeCreditForSendSlotsTrouble01() throws Exception {
        pair = new ChannelPair(setup(config().sendDepth(16)), atLeft, atRight);
        int writers = 4;
        int each = 1_000;
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            for (int number = 0; number < each; number++) {
                MemorySegment message = numbered(writer, number);
                ends.add(pair.left.sendAsync(message).toCompletableFuture());
            }
        }
        for (int round = 0; atRight.messages.size() < writers * each; round++) {
            assertThat(round).isLessThan(100_000);
            LoopbackFaults.holdCompletions(LoopbackFaults.queuePairs()[LEFT], Work.SENDS);
            pollForAWhile(50);
            LoopbackFaults.releaseCompletions();
            pollForAWhile(2);
        }
        pair.pollUntil("all have ended", () -> ends.stream().allMatch(CompletableFuture::isDone));
        assertThat(ends).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(pair.left.state()).isEqualTo(ChannelState.CONNECTED);
        assertEachWritersOrder(writers, each);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    void shouldConnectWithLessInlineThanWasAskedForTrouble03(int refusals) throws Exception {
        LoopbackFaults.failCalls("ibv_create_qp", 0, refusals, LoopbackFaults.EINVAL);
        pair = new ChannelPair(setup(config().inlineBytes(4096)), atLeft, atRight);
        for (int size = 0; size < 1_200; size++) {
            send(pair.left, Contents.memory(Contents.bytes(size, size)));
        }
        pair.pollUntil("all are there", () -> atRight.messages.size() == 1_200);
        for (int size = 0; size < 1_200; size++) {
            assertThat(atRight.messages.get(size)).isEqualTo(Contents.bytes(size, size));
        }
    }

    @Test
    void shouldGiveAllBuffersBackWhenClosedWithMuchInFlightTrouble17() throws Exception {
        MemorySegment memory = Arena.ofAuto().allocate(CLOSED_MESSAGE_BYTES);
        for (int round = 0; round < CLOSES; round++) {
            Recorder left = new Recorder();
            try (ChannelPair busy = new ChannelPair(setup(), left, new Recorder())) {
                int sent = 0;
                while (sent < 64
                        && busy.left.send(memory, 0, memory.byteSize(), sent).isAccepted()) {
                    sent++;
                    busy.right.send(memory, 0, 100);
                }
                for (int i = 0; i < round % 10; i++) {
                    busy.poll();
                }
                (round % 2 == 0 ? busy.leftPoller : busy.rightPoller).close();
                busy.leftPoller.close();
                assertThat(sent).isGreaterThan(8);
                assertThat(left.outcomes).hasSize(sent);
            }
        }
    }

    @Test
    void shouldNameTheGidEntryThatIsEmptyTrouble19() {
        ChannelConfig config = config().gidIndex(0).build();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ChannelConfig plain = ChannelConfig.builder().transport(Transport.TCP).build();
        try (RdmaListener listener = RdmaListener.bind(any, plain, Recorder::new)) {
            assertThatThrownBy(() -> RdmaChannel.connect(listener.address(), config, new Recorder()))
                    .isInstanceOfSatisfying(
                            ChannelException.class,
                            failure -> assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE))
                    .hasMessageContaining("index 0");
        }
        assertThat(LoopbackFaults.live())
                .allSatisfy((kind, count) -> assertThat(count).isZero());
    }

    @Test
    void shouldRefuseAPeerWhoseAddressNobodyHasTrouble19() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Poller poller = Poller.start(PollerConfig.of("listening"));
                RdmaListener listener =
                        RdmaListener.bind(any, config().poller(poller).build(), Recorder::new);
                RawPeer peer = new RawPeer(listener.address())) {
            peer.send(ControlFrame.Type.HELLO, PeerDescription.describe(RawPeer.hello(RDMA)));
            ControlFrame answer = peer.receive();
            assertThat(answer.type()).isEqualTo(ControlFrame.Type.REFUSE);
            assertThat(Fields.decode(answer.payload()).text(Tag.REASON))
                    .contains("GID ::ffff:10.0.0.1", "ibv_modify_qp", "ETIMEDOUT", "READY_TO_RECEIVE");
        }
        assertThat(LoopbackFaults.live()).containsEntry("qps", 0);
    }

    @Test
    void shouldPostReceivesBeforeThePeerCanSendTrouble25() throws Exception {
        long before = LoopbackFaults.calls("ibv_post_recv");
        // Both sides go to INIT; the third move is the first one to READY_TO_RECEIVE.
        LoopbackFaults.failCalls("ibv_modify_qp", 2, 100, LoopbackFaults.EIO);
        pair = new ChannelPair(setup(config().transport(Transport.AUTO)), atLeft, atRight);
        assertThat(pair.left.fallbackReason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("READY_TO_RECEIVE"));
        assertThat(LoopbackFaults.calls("ibv_post_recv")).isGreaterThan(before);
    }

    @Test
    void shouldKeepTheBufferOfACancelledReadTrouble40() throws Exception {
        pair = open();
        RemoteRegion region = exposeAtRight("region", Arena.ofShared().allocate(4096), ALL);
        Lease target = lease(4096);
        long address = target.segment().address();
        LoopbackFaults.holdCompletions(LoopbackFaults.queuePairs()[LEFT], Work.SENDS);
        CompletableFuture<Void> read =
                pair.left.async().read(region, 0, target, 0, 4096).toCompletableFuture();
        pollForAWhile(100);
        read.cancel(true);
        target.release();
        pollForAWhile(100);

        List<Lease> others = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            others.add(lease(4096));
        }
        assertThat(others).extracting(other -> other.segment().address()).doesNotContain(address);
        others.forEach(Lease::release);
        LoopbackFaults.releaseCompletions();
        pollForAWhile(100);
        assertThat(pair.left.state()).isEqualTo(ChannelState.CONNECTED);
    }

    @Test
    void shouldUseTheSecondDeviceWhenTheFirstCannotBeOpenedTrouble44() throws Exception {
        LoopbackFaults.failCalls("ibv_open_device", 0, 1, LoopbackFaults.EIO);
        pair = new ChannelPair(setup(config().transport(Transport.AUTO)), atLeft, atRight);
        assertThat(pair.left.transport()).isEqualTo(Transport.RDMA);
        send(pair.left, Contents.memory(new byte[10]));
        pair.pollUntil("it is there", () -> atRight.messages.size() == 1);
    }

    private void assertEachWritersOrder(int writers, int each) {
        int[] next = new int[writers];
        for (byte[] message : atRight.messages) {
            MemorySegment segment = MemorySegment.ofArray(message);
            int writer = segment.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
            assertThat(segment.get(ValueLayout.JAVA_INT_UNALIGNED, 4)).isEqualTo(next[writer]++);
        }
        assertThat(next).containsOnly(each);
    }

    private static MemorySegment numbered(int writer, int number) {
        MemorySegment message = Arena.ofAuto().allocate(8);
        message.set(ValueLayout.JAVA_INT_UNALIGNED, 0, writer);
        message.set(ValueLayout.JAVA_INT_UNALIGNED, 4, number);
        return message;
    }

    private void pollForAWhile(int times) {
        for (int i = 0; i < times; i++) {
            pair.poll();
        }
    }

    private static ChannelPair.Setup setup(ChannelConfigBuilder config) {
        return new ChannelPair.Setup(InetAddress.getLoopbackAddress(), CompletionMode.BUSY_POLL, config, config);
    }

    private static ChannelConfigBuilder config() {
        return RdmaChannelCases.config().lingerTimeout(Duration.ofMillis(300));
    }
}

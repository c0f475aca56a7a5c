// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.core.Link;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.mempool.Lease;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("rdma")
@Timeout(120)
class RdmaLinkIT {
    private static final PollerConfig POLLER = PollerConfig.of("test").withPool(4 << 20, 64 << 20);
    /** With the driver of Linux 6.1 some acknowledgements wait for the timeout. */
    static final ChannelConfig CONFIG = ChannelConfig.builder().ackTimeout(10).build();

    private final List<RdmaSource> sources = new ArrayList<>();
    private final List<LinkSide> sides = new ArrayList<>();
    private String resourcesBefore;

    @BeforeEach
    void look() throws Exception {
        LabDevice.require();
        resourcesBefore = LabDevice.resources();
    }

    @AfterEach
    void shouldLeaveNothing() throws Exception {
        sides.forEach(LinkSide::close);
        sources.forEach(RdmaSource::close);
        if (resourcesBefore != null) {
            LabDevice.requireResources(resourcesBefore);
        }
    }

    @Test
    void shouldExchangeTenThousandFramesOfAllSizes() {
        int count = 10_000;
        int sizes = 8193;
        LinkSide left = side(source(), CONFIG);
        LinkSide right = side(source(), CONFIG).supply(CONFIG.receiveDepth());
        MemorySegment pattern = pattern(sizes + 256);
        right.events = new RecordingEvents() {
            @Override
            public void frameArrived(Lease receive, long payloadBytes) {
                requireFrame(receive, payloadBytes, pattern, count);
                super.frameArrived(receive, payloadBytes);
                right.supplyAgain(receive);
            }
        };
        begin(left, right);
        assertThat(left.link.transport()).isEqualTo(Transport.RDMA);
        for (int frame = 0; frame < count; frame++) {
            long sequence = frame;
            await("room and credit", () -> left.link.room() > 0 && sequence < right.granted);
            left.releaseEnded();
            int size = frame * 37 % sizes;
            Lease lease = left.source.pool().acquire(size);
            FrameHeader.put(lease.headroom(), FrameHeader.MESSAGE, size, sequence);
            FrameHeader.putState(lease.headroom(), 1, 2);
            MemorySegment.copy(pattern, frame & 0xFF, lease.segment(), 0, size);
            left.post(lease, size);
            if (frame % 5 == 0) {
                left.link.flush();
            }
        }
        left.link.flush();
        await("all frames", () -> right.events.frames == count);
        assertThat(left.events.ended).isGreaterThan(count - CONFIG.sendDepth());
        assertThat(left.events.failure).isNull();
    }

    @Test
    void shouldWriteAndReadThePeersMemory() {
        LinkSide left = side(source(), CONFIG);
        LinkSide right = side(source(), CONFIG).supply(2);
        begin(left, right);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(10_000, 64);
            Link.Exposure exposure = right.link.expose(memory, EnumSet.of(RegionRight.READ, RegionRight.WRITE));
            Lease source = left.lease(10_000);
            Lease target = left.lease(10_000);
            MemorySegment.copy(pattern(10_000), 0, source.segment(), 0, 10_000);

            left.link.write(source, 0, 5_000, exposure.address(), exposure.key());
            left.link.writeWithImmediate(source, 5_000, 5_000, exposure.address() + 5_000, exposure.key(), -77);
            long number = left.link.read(target, 0, 10_000, exposure.address(), exposure.key());
            left.link.flush();
            await("the read", () -> left.events.ended == number);
            await("the immediate", () -> !right.events.immediates.isEmpty());

            assertThat(right.events.immediates).containsExactly("-77 5000");
            assertThat(memory.mismatch(pattern(10_000))).isEqualTo(-1);
            assertThat(target.segment().asSlice(0, 10_000).mismatch(memory)).isEqualTo(-1);
            exposure.close();
            exposure.close();
        }
    }

    @Test
    void shouldSwapAndAddInThePeersMemory() {
        LinkSide left = side(source(), CONFIG);
        LinkSide right = side(source(), CONFIG);
        begin(left, right);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(16, 8);
            memory.set(ValueLayout.JAVA_LONG, 8, 40);
            Link.Exposure exposure = right.link.expose(memory, Set.of(RegionRight.ATOMIC));
            Lease first = left.lease(8);
            Lease second = left.lease(8);
            Lease third = left.lease(8);

            left.link.compareAndSwap(first, exposure.address() + 8, exposure.key(), 40, 50);
            left.link.compareAndSwap(second, exposure.address() + 8, exposure.key(), 40, 60);
            long number = left.link.fetchAndAdd(third, exposure.address() + 8, exposure.key(), -8);
            left.link.flush();
            await("the atomics", () -> left.events.ended == number);

            assertThat(first.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
            assertThat(second.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(50);
            assertThat(third.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(50);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(42);
            exposure.close();
        }
    }

    @Test
    void shouldFailOnceWhenAnExposureIsClosed() {
        LinkSide left = side(source(), CONFIG);
        LinkSide right = side(source(), CONFIG).supply(4);
        begin(left, right);
        try (Arena arena = Arena.ofShared()) {
            Link.Exposure exposure = right.link.expose(arena.allocate(4096, 64), Set.of(RegionRight.READ));
            Lease target = left.lease(4096);
            left.postFrame(0, 10);
            long good = left.link.read(target, 0, 64, exposure.address(), exposure.key());
            left.link.flush();
            await("the read", () -> left.events.ended == good);
            exposure.close();

            left.postFrame(1, 10);
            long bad = left.link.read(target, 0, 64, exposure.address(), exposure.key());
            for (int i = 0; i < 5; i++) {
                left.postFrame(2 + i, 10);
            }
            left.link.flush();
            await("the failure", () -> left.events.failure != null);

            assertThat(left.events.failure.reason()).isEqualTo(Reason.REMOTE_ACCESS);
            assertThat(left.events.failure).hasMessageContaining("REMOTE_ACCESS_ERROR");
            assertThat(left.events.culprit).isEqualTo(bad);
            assertThat(left.events.ended).isEqualTo(bad - 1);
            await("the flushed frames", () -> ((RdmaLink) left.link).flushed() >= 5);
            await("the peer's failure", () -> right.events.failure != null);
            assertThat(right.events.failure.reason()).isEqualTo(Reason.TRANSPORT);
        }
    }

    @Test
    void shouldRefuseAWriteToMemoryExposedForReading() {
        LinkSide left = side(source(), CONFIG);
        LinkSide right = side(source(), CONFIG);
        begin(left, right);
        Lease mine = left.lease(64);
        Lease offered = right.lease(64);
        offered.segment().fill((byte) 7);
        int key = right.link.offer(offered);
        long read = left.link.read(mine, 0, 64, right.link.offeredAddress(offered), key);
        left.link.flush();
        await("the read", () -> left.events.ended == read);
        assertThat(mine.segment().get(ValueLayout.JAVA_BYTE, 63)).isEqualTo((byte) 7);
        long write = left.link.write(mine, 0, 64, right.link.offeredAddress(offered), key);
        left.link.flush();
        await("the failure", () -> left.events.failure != null);
        assertThat(left.events.failure.reason()).isEqualTo(Reason.REMOTE_ACCESS);
        assertThat(left.events.culprit).isEqualTo(write);
        right.link.withdraw(key);
    }

    @Test
    void shouldCloseWithPostsOutstanding() {
        LinkSide left = side(source(), CONFIG).supply(CONFIG.receiveDepth());
        LinkSide right = side(source(), CONFIG);
        begin(left, right);
        for (int i = 0; i < 100; i++) {
            left.postFrame(i, 4000);
        }
        left.link.flush();
        long start = System.nanoTime();
        left.close();
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(4));
        assertThat(left.events.failure).isNull();
        right.close();
    }

    @Test
    void shouldGiveRoomBackWhenOnlyFramesAreSent() {
        ChannelConfig small = ChannelConfig.builder()
                .ackTimeout(10)
                .sendDepth(8)
                .receiveDepth(200)
                .build();
        LinkSide left = side(source(), small);
        LinkSide right = side(source(), small).supply(200);
        begin(left, right);
        for (int i = 0; i < 200; i++) {
            await("room", () -> left.link.room() > 0);
            left.postFrame(i, i);
            left.link.flush();
            left.releaseEnded();
        }
        await("the frames", () -> right.events.frames == 200);
        assertThat(left.link.room()).isGreaterThan(0);
    }

    @Test
    void shouldKeepWhatArrivesBeforeALinkBegins() {
        LinkSide left = side(source(), CONFIG);
        LinkSide right = side(source(), CONFIG).supply(8);
        LinkSide.connect(left, right);
        left.begin();
        for (int i = 0; i < 8; i++) {
            left.postFrame(i, 100);
        }
        left.link.flush();
        pollForAWhile();
        right.begin();
        assertThat(right.source.poll()).isEqualTo(8);
        assertThat(right.events.frames).isEqualTo(8);
    }

    @Test
    void shouldCloseALinkInTheMiddleOfABatchAndLoseNothingOfOthers() {
        RdmaSource shared = source();
        RdmaSource peers = source();
        LinkSide closing = side(shared, CONFIG).supply(16);
        LinkSide staying = side(shared, CONFIG).supply(16);
        LinkSide leftOfClosing = side(peers, CONFIG);
        LinkSide leftOfStaying = side(peers, CONFIG);
        closing.events = new RecordingEvents() {
            @Override
            public void frameArrived(Lease receive, long payloadBytes) {
                super.frameArrived(receive, payloadBytes);
                closing.link.close();
            }
        };
        begin(leftOfClosing, closing);
        begin(leftOfStaying, staying);
        for (int i = 0; i < 12; i++) {
            leftOfClosing.postFrame(i, 20);
            leftOfStaying.postFrame(i, 20);
            leftOfClosing.link.flush();
            leftOfStaying.link.flush();
        }
        await("the frames of the other link", () -> staying.events.frames == 12);
        assertThat(closing.events.frames).isEqualTo(1);
        assertThat(closing.events.failure).isNull();
    }

    @Test
    void shouldRefuseALinkThatTheCompletionQueueHasNoRoomFor() {
        RdmaSource source = source(POLLER.withCompletionQueueCapacity(600));
        LinkSide first = side(source, CONFIG);
        LinkSide second = side(source, CONFIG);
        assertThatThrownBy(() -> source.prepare(
                        ChannelConfig.builder().receiveDepth(16_000).build()))
                .isInstanceOfSatisfying(
                        ChannelException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE))
                .hasMessageContaining("16145")
                .hasMessageContaining("546");
        first.close();
        second.close();
        source.poll();
        side(source, CONFIG);
    }

    @Test
    void shouldSleepUntilSomethingArrivesOrItIsWoken() throws Exception {
        LinkSide left = side(source(), CONFIG);
        LinkSide right = side(source(), CONFIG).supply(4);
        begin(left, right);
        right.source.arm();
        assertThat(right.source.poll()).isZero();
        left.postFrame(0, 10);
        left.link.flush();
        right.source.await(TimeUnit.SECONDS.toNanos(20));
        await("the frame", () -> right.events.frames == 1);

        right.source.wakeUp();
        long start = System.nanoTime();
        right.source.await(TimeUnit.SECONDS.toNanos(60));
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
    }

    @Test
    void shouldAbandonWhatWasConnectedAndNeverBegun() {
        RdmaSource source = source(POLLER.withCompletionQueueCapacity(600));
        LinkSide left = side(source, CONFIG);
        LinkSide right = side(source, CONFIG).supply(4);
        LinkSide.connect(left, right);
        left.begin();
        left.postFrame(0, 10);
        left.link.flush();
        pollForAWhile();
        right.close();
        source.poll();
        left.close();
        LinkSide next = side(source, CONFIG);
        LinkSide peer = side(source, CONFIG).supply(4);
        begin(next, peer);
        next.postFrame(0, 10);
        next.link.flush();
        await("the frame", () -> peer.events.frames == 1);
    }

    @Test
    void shouldConnectInAnotherThreadThanTheLoops() throws Exception {
        RdmaSource leftSource = source();
        RdmaSource rightSource = source();
        Thread loop = Thread.currentThread();
        LinkSide[] made = new LinkSide[2];
        Thread handshake = Thread.ofPlatform().start(() -> {
            made[0] = new LinkSide(leftSource, CONFIG);
            made[1] = new LinkSide(rightSource, CONFIG).supply(20);
            LinkSide.connect(made[0], made[1]);
            made[0].pending.handOver(loop);
            made[1].pending.handOver(loop);
        });
        handshake.join();
        sides.addAll(List.of(made));
        LinkSide left = made[0].begin();
        LinkSide right = made[1].begin();
        left.postFrame(1, 1000);
        left.link.flush();
        await("the frame", () -> right.events.frames == 1);
    }

    @Test
    void shouldServeConnectionsOfTheSameDevice() throws Exception {
        InetAddress local = LabDevice.address();
        RdmaSource source = RdmaSource.open(POLLER, CONFIG, local, Thread.currentThread());
        sources.add(source);
        assertThat(source.matches(CONFIG, local)).isTrue();
        assertThat(source.matches(ChannelConfig.builder().device("other0").build(), local))
                .isFalse();
        assertThat(source.matches(CONFIG, InetAddress.getByName("192.0.2.1"))).isFalse();
        LinkSide left = side(source, CONFIG);
        LinkSide right = side(source, CONFIG).supply(1);
        begin(left, right);
        left.postFrame(0, 0);
        left.link.flush();
        await("the frame", () -> right.events.frames == 1);
    }

    @Test
    void shouldSayWhatThereIsWhenNoDeviceWillDo() {
        ChannelConfig config = ChannelConfig.builder().device("other0").build();
        assertThatThrownBy(
                        () -> RdmaSource.open(POLLER, config, InetAddress.getLoopbackAddress(), Thread.currentThread()))
                .isInstanceOfSatisfying(
                        ChannelException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE))
                .hasMessageContaining("other0")
                .hasMessageContaining("rdma.device");
    }

    RdmaSource source() {
        return source(POLLER);
    }

    RdmaSource source(PollerConfig poller) {
        RdmaSource source = RdmaSource.open(poller, CONFIG, InetAddress.getLoopbackAddress(), Thread.currentThread());
        sources.add(source);
        return source;
    }

    LinkSide side(RdmaSource source, ChannelConfig config) {
        LinkSide side = new LinkSide(source, config);
        sides.add(side);
        return side;
    }

    static void begin(LinkSide left, LinkSide right) {
        LinkSide.connect(left, right);
        left.begin();
        right.begin();
    }

    /** Long enough for what has been posted to arrive, though nobody is told of it. */
    private void pollForAWhile() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
        while (System.nanoTime() < end) {
            sources.forEach(RdmaSource::poll);
        }
    }

    void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            int told = sides.stream()
                    .filter(side -> side.link != null)
                    .mapToInt(side -> side.link.poll())
                    .sum();
            for (RdmaSource source : sources) {
                told += source.poll();
            }
            if (told == 0 && System.nanoTime() > end) {
                throw new AssertionError("not in time: " + what);
            }
        }
    }

    private static MemorySegment pattern(int bytes) {
        MemorySegment pattern = MemorySegment.ofArray(new byte[bytes]);
        for (int i = 0; i < bytes; i++) {
            pattern.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
        }
        return pattern;
    }

    private static void requireFrame(Lease receive, long payloadBytes, MemorySegment pattern, int count) {
        MemorySegment header = receive.headroom();
        long sequence = FrameHeader.sequence(header);
        assertThat(sequence).isBetween(0L, count - 1L);
        boolean same = FrameHeader.length(header) == payloadBytes
                && sequence * 37 % 8193 == payloadBytes
                && FrameHeader.granted(header) == 2
                && MemorySegment.mismatch(
                                receive.segment(),
                                0,
                                payloadBytes,
                                pattern,
                                sequence & 0xFF,
                                (sequence & 0xFF) + payloadBytes)
                        < 0;
        assertThat(same).as("contents of frame %d", sequence).isTrue();
    }
}

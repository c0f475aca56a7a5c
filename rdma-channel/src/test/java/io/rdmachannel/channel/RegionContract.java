// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a channel promises of memory that its sides expose to each other. */
abstract class RegionContract extends MessageContract {
    @Test
    void shouldWriteReadAndTellOfIt() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(3_000_000, 4096);
        RemoteRegion region = exposeAtRight("log", memory, ALL);
        assertThat(region.length()).isEqualTo(3_000_000);
        byte[] bytes = Contents.bytes(9, 2_000_000);
        Lease source = lease(2_000_000);
        MemorySegment.copy(bytes, 0, source.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
        assertThat(pair.left.write(source, 0, region, 1_000_000, 2_000_000, 1)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.writeWithImmediate(source, 5, region, 0, 999_999, 0xCAFE, 2))
                .isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.write(source, 0, region, 10, 0, 3)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("all are told", () -> atLeft.outcomes.size() == 3 && atRight.immediates.size() == 1);
        assertThat(atLeft.order).containsExactly(1L, 2L, 3L);
        assertThat(atRight.immediates).containsExactly(0xCAFE);
        assertThat(atRight.immediateLengths).containsExactly(999_999L);
        assertThat(memory.asSlice(1_000_000, 2_000_000).mismatch(MemorySegment.ofArray(bytes)))
                .isEqualTo(-1);
        assertThat(memory.asSlice(0, 999_999).mismatch(source.segment().asSlice(5, 999_999)))
                .isEqualTo(-1);
        Lease target = lease(2_000_000);
        assertThat(pair.left.read(region, 1_000_000, target, 0, 2_000_000, 4)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("the read has ended", () -> atLeft.outcomes.containsKey(4L));
        assertThat(target.segment().asSlice(0, 2_000_000).mismatch(MemorySegment.ofArray(bytes)))
                .isEqualTo(-1);
        source.release();
        target.release();
    }

    @Test
    void shouldHandleAMessageOnlyAfterTheWriteBeforeIt() throws Exception {
        MemorySegment memory = Arena.ofShared().allocate(100_000, 4096);
        List<Byte> seen = new ArrayList<>();
        Recorder looking = new Recorder() {
            @Override
            public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
                seen.add(memory.get(ValueLayout.JAVA_BYTE, 99_999));
            }
        };
        pair = new ChannelPair(setup(), atLeft, looking);
        RemoteRegion region = exposeAtRight("log", memory, ALL);
        List<Lease> sources = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            Lease source = lease(100_000);
            source.segment().fill((byte) i);
            sources.add(source);
            int token = i;
            pair.pollUntil(
                    "a write is taken",
                    () -> pair.left.write(source, 0, region, 0, 100_000, token).isAccepted());
            send(pair.left, Contents.memory(new byte[1]));
        }
        pair.pollUntil("all are handled", () -> seen.size() == 20 && atLeft.outcomes.size() == 20);
        for (int i = 0; i < 20; i++) {
            assertThat(seen.get(i)).as("message %d", i).isGreaterThanOrEqualTo((byte) (i + 1));
        }
        sources.forEach(Lease::release);
    }

    @Test
    void shouldSwapAndAddOnce() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(64, 64);
        memory.set(ValueLayout.JAVA_LONG, 8, 40);
        RemoteRegion region = exposeAtRight("counters", memory, ALL);
        Lease result = lease(8);
        assertThat(pair.left.fetchAndAdd(region, 8, 2, result, 1)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("it was added", () -> atLeft.outcomes.containsKey(1L));
        assertThat(result.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(42);
        assertThat(pair.left.compareAndSwap(region, 8, 42, -1, result, 2)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("it was swapped", () -> atLeft.outcomes.containsKey(2L));
        assertThat(result.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
        assertThat(pair.left.compareAndSwap(region, 8, 42, 7, result, 3)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("it was not swapped", () -> atLeft.outcomes.containsKey(3L));
        assertThat(result.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(-1);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(-1);
        result.release();
    }

    @Test
    void shouldUseMemoryOfTheCaller() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(10_000, 4096);
        RemoteRegion region = exposeAtRight("log", memory, ALL);
        MemorySegment own = Arena.ofShared().allocate(10_000, 4096);
        own.fill((byte) 6);
        RegisteredBuffer source = pair.left.register(own);
        assertThat(pair.left.write(source, 0, region, 0, 10_000, 1)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("it was written", () -> atLeft.outcomes.containsKey(1L));
        assertThat(memory.mismatch(own)).isEqualTo(-1);
        ((AutoCloseable) source).close();
    }

    @Test
    void shouldRefuseARevokedRegionOnceThePeerHasToldOfIt() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(100, 64);
        ExposedRegion exposed = pair.right.expose("log", memory, ALL);
        pair.pollUntil("the region is known", () -> atLeft.exposed.size() == 1);
        RemoteRegion region = pair.left.remoteRegion("log").orElseThrow();
        exposed.close();
        exposed.close();
        pair.pollUntil("the region is revoked", () -> atLeft.revoked.size() == 1);
        assertThat(region.isRevoked()).isTrue();
        assertThat(pair.left.remoteRegion("log")).isEmpty();
        Lease source = lease(100);
        assertThat(pair.left.write(source, 0, region, 0, 100, 1)).isEqualTo(Submission.REGION_REVOKED);
        RemoteRegion again = exposeAtRight("log", memory, ALL);
        assertThat(again.isRevoked()).isFalse();
        assertThat(pair.left.write(source, 0, again, 0, 100, 2)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("the new one works", () -> atLeft.outcomes.containsKey(2L));
        source.release();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseAWriteByTheOldKeyOnceTheRegionIsClosed(boolean told) throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(100, 64);
        ExposedRegion exposed = pair.right.expose("log", memory, ALL);
        pair.pollUntil("the region is known", () -> atLeft.exposed.size() == 1);
        RemoteRegion region = atLeft.exposed.getFirst();
        RemoteRegion kept = new RemoteRegion("log", region.addressAt(0), 100, region.key(), ALL);
        Lease source = lease(100);
        source.segment().fill((byte) 9);
        assertThat(pair.left.write(source, 0, kept, 0, 50, 1)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("the key is good until then", () -> atLeft.outcomes.get(1L) == Outcome.SUCCESS);

        exposed.close();
        if (told) {
            pair.pollUntil("the region is revoked", () -> atLeft.revoked.size() == 1);
        }
        assertThat(pair.left.write(source, 0, kept, 50, 50, 2)).isEqualTo(Submission.ACCEPTED);

        pair.pollUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);
        assertThat(pair.left.failure().orElseThrow().reason()).isEqualTo(ChannelException.Reason.REMOTE_ACCESS);
        assertThat(atLeft.outcomes.get(2L)).isEqualTo(Outcome.REMOTE_ACCESS_ERROR);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 49)).isEqualTo((byte) 9);
        assertThat(memory.asSlice(50, 50).mismatch(MemorySegment.ofArray(new byte[50])))
                .isEqualTo(-1);
        pair.pollUntil("the peer's side has ended", () -> pair.right.state().isOver());
        source.release();
    }

    @Test
    void shouldFailWithTheAccessThatThePeerRefuses() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(100, 64);
        RemoteRegion honest = exposeAtRight("log", memory, Set.of(RegionRight.READ));
        RemoteRegion forged = new RemoteRegion("log", honest.addressAt(0), 100, honest.key(), ALL);
        Lease source = lease(100);
        source.segment().fill((byte) 9);
        assertThat(pair.left.read(honest, 0, source, 0, 100, 1)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.write(source, 0, forged, 0, 100, 2)).isEqualTo(Submission.ACCEPTED);
        assertThat(pair.left.read(honest, 0, source, 0, 100, 3)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);
        assertThat(pair.left.failure().orElseThrow().reason()).isEqualTo(ChannelException.Reason.REMOTE_ACCESS);
        assertThat(atLeft.outcomes.get(1L)).isEqualTo(Outcome.SUCCESS);
        assertThat(atLeft.outcomes.get(2L)).isEqualTo(Outcome.REMOTE_ACCESS_ERROR);
        assertThat(atLeft.outcomes.get(3L)).isEqualTo(Outcome.CANCELLED);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isZero();
        pair.pollUntil("the peer's side has ended", () -> pair.right.state().isOver());
        source.release();
    }

    @Test
    void shouldRefuseWhatCannotBeRight() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(100, 64);
        RemoteRegion region = exposeAtRight("log", memory, Set.of(RegionRight.WRITE));
        RemoteRegion counters = exposeAtRight("counters", memory, ALL);
        Lease source = lease(100);
        assertThatThrownBy(() -> pair.left.write(source, 0, region, 50, 51, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> pair.left.write(source, source.capacity(), region, 0, 1, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> pair.left.read(region, 0, source, 0, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("READ is missing");
        assertThatThrownBy(() -> pair.left.fetchAndAdd(counters, 4, 1, source, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiple of 8");
        Lease foreign = pair.right.acquire(100);
        assertThatThrownBy(() -> pair.left.write(foreign, 0, region, 0, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another pool");
        foreign.release();
        source.release();
        assertThatThrownBy(() -> pair.left.write(source, 0, region, 0, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("released");
        assertThat(pair.left.state()).isEqualTo(ChannelState.CONNECTED);
        assertThat(atLeft.outcomes).isEmpty();
    }

    @Test
    void shouldRefuseMessagesAndRegionsThatCannotBe() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofAuto().allocate(100);
        long limit = pair.left.config().maxMessageBytes();
        assertThatThrownBy(() -> pair.left.claim(limit + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(limit));
        assertThatThrownBy(() -> pair.left.send(memory, 50, 51)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> pair.left.expose("", memory, ALL)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pair.left.expose("x".repeat(65), memory, ALL))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pair.left.expose("x", memory, Set.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pair.left.expose("x", MemorySegment.ofArray(new byte[9]), ALL))
                .isInstanceOf(IllegalArgumentException.class);
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment mine = confined.allocate(10);
            assertThatThrownBy(() -> pair.left.expose("x", mine, ALL))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("confined");
        }
        pair.left.expose("x", memory, ALL);
        assertThatThrownBy(() -> pair.left.expose("x", memory, ALL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("already");
    }

    @Test
    void shouldGatherSeveralBuffersIntoOneWriteAndScatterARead() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(10_000, 4096);
        RemoteRegion region = exposeAtRight("gathered", memory, ALL);
        byte[] contents = Contents.bytes(5, 6_000);
        List<Lease> pieces = List.of(lease(1_000), lease(0), lease(5_000));
        MemorySegment.copy(contents, 0, pieces.get(0).segment(), ValueLayout.JAVA_BYTE, 0, 1_000);
        MemorySegment.copy(contents, 1_000, pieces.get(2).segment(), ValueLayout.JAVA_BYTE, 0, 5_000);
        assertThat(pair.left.write(pieces, region, 3_000, 1)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("it was written", () -> atLeft.outcomes.size() == 1);
        assertThat(memory.asSlice(3_000, 6_000).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(contents);
        pieces.forEach(piece -> piece.segment().fill((byte) 0));
        assertThat(pair.left.read(region, 3_000, pieces, 2)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("it was read", () -> atLeft.outcomes.size() == 2);
        assertThat(atLeft.outcomes.values()).containsOnly(Outcome.SUCCESS);
        assertThat(pieces.get(0).segment().asSlice(0, 1_000).toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(Arrays.copyOf(contents, 1_000));
        assertThat(pieces.get(2).segment().asSlice(0, 5_000).toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(Arrays.copyOfRange(contents, 1_000, 6_000));
        assertThatThrownBy(() -> pair.left.write(pieces, region, 4_001, 3))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> pair.left.write(List.of(), region, 0, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 buffers");
        pieces.forEach(Lease::release);
        assertThatThrownBy(() -> pair.left.write(pieces, region, 0, 3)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldServeOtherThreadsByTheAsynchronousForms() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(64, 64);
        RemoteRegion region = exposeAtRight("asynchronous", memory, ALL);
        Lease source = lease(8);
        source.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 77);
        AsyncOperations operations = pair.left.async();
        int count = 300;
        CompletableFuture<List<CompletableFuture<?>>> asking = CompletableFuture.supplyAsync(() -> {
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(operations.fetchAndAdd(region, 8, 1).toCompletableFuture());
                all.add(operations.write(source, 0, region, 0, 8).toCompletableFuture());
                all.add(operations
                        .writeWithImmediate(source, 0, region, 24, 8, i)
                        .toCompletableFuture());
            }
            return all;
        });
        pair.pollUntil("all have been asked for", asking::isDone);
        pair.pollUntil("all have ended", () -> asking.join().stream().allMatch(CompletableFuture::isDone));
        for (int i = 0; i < count; i++) {
            assertThat(asking.join().get(3 * i).get()).isEqualTo((long) i);
        }
        assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(77);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(count);
        assertThat(atRight.immediates).hasSize(count);
        var swapped = operations.compareAndSwap(region, 8, count, 5).toCompletableFuture();
        var read = operations.read(region, 8, source, 0, 8).toCompletableFuture();
        pair.pollUntil("the last ones have ended", () -> swapped.isDone() && read.isDone());
        assertThat(swapped.get()).isEqualTo(count);
        assertThat(source.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(5);
        source.release();
        assertThat(atLeft.outcomes).isEmpty();
    }

    @Test
    void shouldTellTheAsynchronousFormsWhyTheyFail() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(64, 64);
        RemoteRegion region = exposeAtRight("refusing", memory, Set.of(RegionRight.READ));
        var misaligned = pair.left.async().fetchAndAdd(region, 3, 1).toCompletableFuture();
        pair.pollUntil("it was refused", misaligned::isDone);
        assertThatThrownBy(misaligned::get).hasRootCauseInstanceOf(IllegalArgumentException.class);
        pair.leftPoller.execute(pair.left::close);
        pair.pollUntil("it has ended", () -> pair.left.state().isOver());
        Lease target = lease(8);
        var late = pair.left.async().read(region, 0, target, 0, 8).toCompletableFuture();
        pair.pollUntil("it was answered", late::isDone);
        assertThatThrownBy(late::get)
                .hasRootCauseInstanceOf(ChannelException.class)
                .hasMessageContaining("not open");
        pair.leftPoller.execute(target::release);
        pair.pollUntil("the buffer is back", () -> target.referenceCount() == 0);
        pair.leftPoller.close();
        assertThatThrownBy(() -> pair.left
                        .async()
                        .read(region, 0, target, 0, 8)
                        .toCompletableFuture()
                        .get())
                .hasRootCauseInstanceOf(ChannelException.class);
    }

    @Test
    void shouldNotRunOutOfCreditWhenNothingButWritesWithImmediateAreSent() throws Exception {
        ChannelPair.Setup setup = setup();
        setup.left().receiveDepth(8);
        setup.right().receiveDepth(8);
        pair = new ChannelPair(setup, atLeft, atRight);
        RemoteRegion region = exposeAtRight("written", Arena.ofShared().allocate(64, 8), ALL);
        Lease source = lease(8);
        int count = 200;
        for (int i = 0; i < count; i++) {
            int number = i;
            pair.pollUntil(
                    "a write is taken",
                    () -> pair.left
                            .writeWithImmediate(source, 0, region, 0, 8, number, number)
                            .isAccepted());
        }
        pair.pollUntil("all are told", () -> atRight.immediates.size() == count && atLeft.outcomes.size() == count);
        source.release();
    }

    @Test
    void shouldAppendToThePeersMemoryWithoutOvertakingIt() throws Exception {
        int regionBytes = 10_000;
        MemorySegment memory = Arena.ofShared().allocate(regionBytes, 4096);
        List<byte[]> read = new ArrayList<>();
        long[] position = new long[1];
        Recorder reading = new Recorder() {
            @Override
            public void onWriteWithImmediate(RdmaChannel channel, int immediate, long length) {
                read.add(memory.asSlice(RemoteMemoryWriter.place(immediate), length)
                        .toArray(ValueLayout.JAVA_BYTE));
                position[0] = RemoteMemoryWriter.positionBehind(position[0], immediate, length, regionBytes);
            }
        };
        pair = new ChannelPair(setup(), atLeft, reading);
        RemoteMemoryWriter writer =
                new RemoteMemoryWriter(pair.left, exposeAtRight("log", memory, Set.of(RegionRight.WRITE)));
        int count = 300;
        boolean[] full = new boolean[1];
        for (int i = 0; i < count; i++) {
            byte[] record = Contents.bytes(i, 1 + i * 37 % 3000);
            Lease source = lease(record.length);
            MemorySegment.copy(record, 0, source.segment(), ValueLayout.JAVA_BYTE, 0, record.length);
            int token = i;
            pair.pollUntil("a record is taken", () -> {
                boolean taken = writer.append(source, 0, record.length, token).isAccepted();
                if (!taken) {
                    full[0] = true;
                    writer.released(position[0]);
                }
                return taken;
            });
            source.release();
        }
        pair.pollUntil("all are read", () -> read.size() == count && atLeft.outcomes.size() == count);
        for (int i = 0; i < count; i++) {
            assertThat(read.get(i)).as("record %d", i).isEqualTo(Contents.bytes(i, 1 + i * 37 % 3000));
        }
        assertThat(full[0]).isTrue();
        assertThat(position[0]).isEqualTo(writer.position());
        writer.released(position[0]);
        assertThat(writer.unread()).isZero();
        assertThatThrownBy(() -> writer.released(0)).isInstanceOf(IllegalArgumentException.class);
        Lease record = lease(20_000);
        assertThatThrownBy(() -> writer.append(record, 0, 20_000, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9984");
        record.release();
    }

    @Test
    void shouldAppendARecordThatFitsOnlyIntoAnEmptyRegion() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(1024, 64);
        RemoteRegion region = exposeAtRight("log", memory, Set.of(RegionRight.WRITE));
        RemoteMemoryWriter writer = new RemoteMemoryWriter(pair.left, region);
        Lease source = lease(1024);
        assertThat(writer.append(source, 0, 640, 1)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("it is written", () -> atRight.immediates.size() == 1);
        assertThat(writer.append(source, 0, 960, 2)).isEqualTo(Submission.QUEUE_FULL);
        writer.released(writer.position());
        assertThat(writer.append(source, 0, 960, 3)).isEqualTo(Submission.ACCEPTED);
        pair.pollUntil("it is written", () -> atRight.immediates.size() == 2);
        assertThat(atRight.immediates).containsExactly(0, 0);
        long behindFirst = RemoteMemoryWriter.positionBehind(0, 0, 640, 1024);
        assertThat(RemoteMemoryWriter.positionBehind(behindFirst, 0, 960, 1024)).isEqualTo(writer.position());
        source.release();
    }

    @Test
    void shouldTellARevocationBeforeTheNameIsUsedAgain() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(100, 64);
        ExposedRegion region = pair.right.expose("log", memory, ALL);
        MemorySegment message = Arena.ofAuto().allocate(10);
        while (pair.right.send(message, 0, 10).isAccepted()) {
            assertThat(pair.right.state()).isEqualTo(ChannelState.CONNECTED);
        }
        // Notices have receives of their own, which are used up here.
        int closed = 0;
        while (closed < 10) {
            region.close();
            closed++;
            try {
                region = pair.right.expose("log", memory, ALL);
            } catch (IllegalStateException expected) {
                break;
            }
        }
        assertThat(closed).isLessThan(10);
        int told = closed;
        pair.pollUntil("all is told", () -> atLeft.revoked.size() == told);
        RemoteRegion again = exposeAtRight("log", memory, ALL);
        assertThat(again.isRevoked()).isFalse();
        assertThat(pair.left.state()).isEqualTo(ChannelState.CONNECTED);
    }
}

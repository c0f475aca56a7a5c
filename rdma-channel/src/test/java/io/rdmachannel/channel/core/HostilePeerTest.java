// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.ExposedRegion;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.protocol.Announcement;
import io.rdmachannel.channel.protocol.FrameHeader;
import io.rdmachannel.channel.protocol.RegionNotice;
import io.rdmachannel.channel.tcp.PeerFrames;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.testing.Deadline;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Channels over TCP whose peers do, byte by byte, what no library would: what fuzzing and reading have found. */
class HostilePeerTest {
    private static final int WRITE = PeerFrames.OPERATIONS[0];
    private static final int WRITE_WITH_IMMEDIATE = PeerFrames.OPERATIONS[1];
    private static final int READ = PeerFrames.OPERATIONS[2];
    private static final int DONE = PeerFrames.ANSWERS[0];
    private static final int READ_DATA = PeerFrames.ANSWERS[1];
    private static final int ATOMIC_RESULT = PeerFrames.ANSWERS[2];
    private static final int REFUSED = PeerFrames.ANSWERS[3];

    private FuzzedChannel.Place place;
    private SocketChannel peer;
    private ChannelCore channel;
    private final List<String> told = new ArrayList<>();
    private RemoteRegion remote;

    private final ChannelHandler handler = new ChannelHandler() {
        @Override
        public void onMessage(RdmaChannel from, MemorySegment buffer, long offset, long length) {
            told.add("message of " + length);
        }

        @Override
        public void onWriteWithImmediate(RdmaChannel from, int immediate, long length) {
            told.add("immediate of " + length);
        }

        @Override
        public void onCompletion(RdmaChannel of, long token, Outcome outcome) {
            told.add(token + " " + outcome);
        }

        @Override
        public void onRegionExposed(RdmaChannel by, RemoteRegion region) {
            remote = region;
        }
    };

    @BeforeEach
    void connect() throws IOException {
        place = new FuzzedChannel.Place();
        peer = place.connect();
        channel = place.open(place.accept(), handler);
    }

    @AfterEach
    void shouldHaveAllBuffersBack() throws IOException {
        peer.close();
        pollUntil(() -> channel.state().isOver());
        channel.close();
        assertThat(place.stats().inUse()).isZero();
        assertThat(place.stats().claimed()).isZero();
        place.close();
    }

    @Test
    void shouldNotWriteToARegionThatWasRevokedInTheMiddleOfAWrite() throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(100);
        ExposedRegion exposed = channel.expose("region", memory, EnumSet.of(RegionRight.WRITE));
        RegionNotice notice = receiveNotice();
        byte[] write = PeerFrames.operation(WRITE, 1, notice.address(), notice.key(), 80, filled(80));

        say(Arrays.copyOf(write, write.length - 30));
        pollUntil(() -> memory.get(ValueLayout.JAVA_BYTE, 49) == 1);
        exposed.close();
        say(Arrays.copyOfRange(write, write.length - 30, write.length));
        pollForAWhile();

        assertThat(memory.get(ValueLayout.JAVA_BYTE, 49)).isEqualTo((byte) 1);
        assertThat(memory.asSlice(50, 50).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(channel.state()).isEqualTo(ChannelState.CONNECTED);
        assertThat(receive().types()).containsExactly(FrameHeader.REGION_REVOKED, REFUSED);
    }

    @Test
    void shouldOutliveARegionWhoseArenaIsClosedInTheMiddleOfAWrite() throws IOException {
        Arena arena = Arena.ofShared();
        ExposedRegion exposed = channel.expose("region", arena.allocate(100), EnumSet.of(RegionRight.WRITE));
        RegionNotice notice = receiveNotice();
        byte[] write = PeerFrames.operation(WRITE, 1, notice.address(), notice.key(), 80, filled(80));

        say(Arrays.copyOf(write, write.length - 30));
        pollForAWhile();
        exposed.close();
        arena.close();
        say(Arrays.copyOfRange(write, write.length - 30, write.length));
        pollForAWhile();

        assertThat(channel.state()).isEqualTo(ChannelState.CONNECTED);
    }

    @Test
    void shouldNotTellAReadAsDoneWhoseDataHaveNotCome() throws IOException {
        exposeAtPeer();
        read(8);
        say(answer(DONE, 1, 0));
        assertFailsWith(Reason.PROTOCOL, "passes over operation 1");
        assertThat(told).containsExactly("1 CANCELLED");
    }

    @Test
    void shouldNotTellAReadAsDoneWhenALaterOneIsAnswered() throws IOException {
        exposeAtPeer();
        read(8);
        read(16);
        say(answer(READ_DATA, 2, 16));
        assertFailsWith(Reason.PROTOCOL, "passes over operation 1");
    }

    @Test
    void shouldNotTakeTheAnswerToAnAtomicForARead() throws IOException {
        exposeAtPeer();
        read(8);
        say(answer(ATOMIC_RESULT, 1, 0));
        assertFailsWith(Reason.PROTOCOL, "as an atomic operation, was none");
    }

    /** Its receive must come back once, although what it said was wrong. */
    @Test
    void shouldRefuseARecoveryThatNothingHasInterrupted() throws IOException {
        say(PeerFrames.frame(FrameHeader.RESUMED, 1, 0, 16, new byte[0]));
        assertFailsWith(Reason.PROTOCOL, "nothing was interrupted");
    }

    @Test
    void shouldTakeNoAnswersAfterARefusal() throws IOException {
        exposeAtPeer();
        read(8);
        read(8);
        say(answer(REFUSED, 1, 0));
        say(answer(READ_DATA, 2, 8));
        pollUntil(() -> channel.state() == ChannelState.FAILED);
        assertThat(channel.failure().orElseThrow().reason()).isIn(Reason.PROTOCOL, Reason.REMOTE_ACCESS);
        assertThat(told).hasSize(2).noneMatch(line -> line.endsWith("SUCCESS"));
    }

    @Test
    void shouldNotLetMoreWaitBehindALongMessageThanThereAreReceives() throws IOException {
        for (int i = 1; i <= 40; i++) {
            say(announcement(i, 1000));
        }
        assertFailsWith(Reason.PROTOCOL, "more than it has credit for");
        assertThat(told).isEmpty();
    }

    @Test
    void shouldNotLetMoreWritesWithImmediateWaitThanThereAreReceives() throws IOException {
        channel.expose("region", Arena.ofAuto().allocate(100), EnumSet.of(RegionRight.WRITE));
        RegionNotice notice = receiveNotice();
        say(announcement(1, 1000));
        for (int i = 1; i <= 40; i++) {
            say(PeerFrames.operation(WRITE_WITH_IMMEDIATE, i, notice.address(), notice.key(), 1, new byte[1]));
        }
        assertFailsWith(Reason.PROTOCOL, "more than it has credit for");
    }

    @Test
    void shouldTellInOrderWhatWaitedBehindALongMessage() throws IOException {
        say(announcement(1, 1000));
        say(announcement(2, 2000));
        say(PeerFrames.frame(FrameHeader.MESSAGE, 3, 0, 16, new byte[5]));
        pollForAWhile();
        assertThat(told).isEmpty();
        say(answer(READ_DATA, 1, 1000));
        pollUntil(() -> told.size() == 1);
        say(answer(READ_DATA, 2, 2000));
        pollUntil(() -> told.size() == 3);
        assertThat(told).containsExactly("message of 1000", "message of 2000", "message of 5");
        for (int i = 4; i < 60; i++) {
            int count = i;
            say(PeerFrames.frame(FrameHeader.MESSAGE, i, 0, 16, new byte[1]));
            pollUntil(() -> told.size() == count);
        }
    }

    @Test
    void shouldFailAPeerThatAsksForMoreThanItTakes() throws IOException {
        channel.expose("region", Arena.ofAuto().allocate(1 << 16), EnumSet.of(RegionRight.READ));
        RegionNotice notice = receiveNotice();
        long number = 0;
        Deadline deadline = Deadline.usual();
        while (!channel.state().isOver()) {
            number++;
            say(PeerFrames.operation(READ, number, notice.address(), notice.key(), 1 << 16, new byte[0]));
            if (number % 100 == 0) {
                place.loop().poll();
            }
            assertThat(deadline.isOver()).as("%d reads", number).isFalse();
        }
        assertThat(channel.failure().orElseThrow().reason()).isEqualTo(Reason.PROTOCOL);
        assertThat(channel.failure().orElseThrow()).hasMessageContaining("does not take the answers");
    }

    private void exposeAtPeer() throws IOException {
        MemorySegment payload = MemorySegment.ofArray(new byte[RegionNotice.MAX_BYTES]);
        EnumSet<RegionRight> all = EnumSet.allOf(RegionRight.class);
        int length = new RegionNotice("region", 4096, 4096, 1, all).write(payload);
        byte[] bytes = payload.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        say(PeerFrames.frame(FrameHeader.REGION_EXPOSED, 1, 0, 16, bytes));
        pollUntil(() -> remote != null);
    }

    private void read(int length) {
        Lease buffer = channel.acquire(64);
        assertThat(channel.read(remote, 0, buffer, 0, length, 1)).isEqualTo(Submission.ACCEPTED);
        buffer.release();
    }

    private static byte[] announcement(long sequence, int length) {
        MemorySegment payload = MemorySegment.ofArray(new byte[Announcement.BYTES]);
        Announcement.put(payload, 4096, length, 1);
        return PeerFrames.frame(FrameHeader.ANNOUNCEMENT, sequence, 0, 16, payload.toArray(ValueLayout.JAVA_BYTE));
    }

    private static byte[] answer(int type, long number, int dataBytes) {
        return PeerFrames.operation(type, number, 0, 0, dataBytes, new byte[dataBytes]);
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 1);
        return bytes;
    }

    private void assertFailsWith(Reason reason, String message) {
        pollUntil(() -> channel.state() == ChannelState.FAILED);
        assertThat(channel.failure().orElseThrow().reason()).isEqualTo(reason);
        assertThat(channel.failure().orElseThrow()).hasMessageContaining(message);
    }

    /** Sends bytes as far as they are taken; a peer that has been left alone is not told of it here. */
    private void say(byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        Deadline deadline = Deadline.usual();
        try {
            while (left.hasRemaining() && !channel.state().isOver()) {
                if (peer.write(left) == 0) {
                    place.loop().poll();
                }
                assertThat(deadline.isOver()).isFalse();
            }
        } catch (IOException gone) {
            pollUntil(() -> channel.state().isOver());
        }
    }

    private RegionNotice receiveNotice() throws IOException {
        return receive().regions().getFirst();
    }

    private FuzzedPeer receive() throws IOException {
        pollForAWhile();
        FuzzedPeer view = new FuzzedPeer(peer, new FuzzScript(new byte[0]));
        view.receive();
        return view;
    }

    private void pollForAWhile() {
        for (int i = 0; i < 20; i++) {
            place.loop().poll();
        }
    }

    private void pollUntil(BooleanSupplier condition) {
        Deadline.usual().await("what the test waits for", () -> {
            place.loop().poll();
            return condition.getAsBoolean();
        });
    }
}

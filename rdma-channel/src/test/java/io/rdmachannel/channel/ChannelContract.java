// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmachannel.mempool.PoolInUseException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a channel promises, whatever it runs over: the whole of it, with what is said of its life. */
abstract class ChannelContract extends RegionContract {
    @Test
    void shouldBelongToOneThread() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofShared().allocate(10);
        CompletableFuture<Void> elsewhere = CompletableFuture.runAsync(() -> {
            assertThatThrownBy(() -> pair.left.send(memory, 0, 10))
                    .isInstanceOf(WrongThreadException.class)
                    .hasMessageContaining("Poller.execute");
            assertThatThrownBy(pair.left::poll).isInstanceOf(WrongThreadException.class);
            assertThatThrownBy(() -> pair.left.claim(1)).isInstanceOf(WrongThreadException.class);
            assertThat(pair.left.state()).isEqualTo(ChannelState.CONNECTED);
        });
        elsewhere.get();
        assertThat(atRight.messages).isEmpty();
    }

    @Test
    void shouldDeliverWhatWasSentBeforeTheClose() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofAuto().allocate(30_000);
        for (int i = 0; i < 20; i++) {
            send(pair.left, memory);
        }
        closeBoth();
        assertThat(atRight.messages).hasSize(20);
        assertThat(pair.left.state()).isEqualTo(ChannelState.CLOSED);
        assertThat(pair.right.state()).isEqualTo(ChannelState.CLOSED);
        assertThat(atLeft.states).containsExactly(ChannelState.CONNECTED, ChannelState.CLOSING, ChannelState.CLOSED);
        pair.left.close();
        assertThat(pair.left.send(memory, 0, 1)).isEqualTo(Submission.NOT_OPEN);
        assertThat(pair.left.failure()).isEmpty();
        assertThatThrownBy(() -> pair.left.claim(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldEndWhatIsOutstandingWhenItIsClosedWithoutThePeer() throws Exception {
        pair = open();
        MemorySegment memory = Arena.ofAuto().allocate(30_000);
        for (int i = 0; i < 4; i++) {
            assertThat(pair.left.send(memory, 0, 30_000, i)).isEqualTo(Submission.ACCEPTED);
        }
        pair.leftPoller.close();
        assertThat(atLeft.outcomes).hasSize(4);
        assertThat(atLeft.outcomes.values()).containsOnly(Outcome.CANCELLED);
        assertThat(pair.left.state()).isEqualTo(ChannelState.CLOSED);
        pair.rightPoller.poll();
        ChannelPair half = pair;
        long begin = System.nanoTime();
        while (!half.right.state().isOver() && System.nanoTime() - begin < 20_000_000_000L) {
            half.rightPoller.poll();
        }
        assertThat(half.right.state()).isEqualTo(ChannelState.FAILED);
    }

    @Test
    void shouldRefuseWhatItsHandlerSendsWhileItEnds() throws Exception {
        List<Submission> answers = new ArrayList<>();
        MemorySegment memory = Arena.ofAuto().allocate(100);
        Recorder persistent = new Recorder() {
            @Override
            public void onCompletion(RdmaChannel channel, long token, Outcome outcome) {
                super.onCompletion(channel, token, outcome);
                if (outcome != Outcome.SUCCESS) {
                    answers.add(channel.send(memory, 0, 100, token + 100));
                }
            }
        };
        pair = new ChannelPair(setup(), persistent, atRight);
        for (int i = 0; i < 4; i++) {
            assertThat(pair.left.send(memory, 0, 100, i)).isEqualTo(Submission.ACCEPTED);
        }
        pair.rightPoller.close();
        pair.pollLeftUntil("the channel failed", () -> pair.left.state() == ChannelState.FAILED);
        assertThat(answers).hasSize(4).containsOnly(Submission.NOT_OPEN);
    }

    @Test
    void shouldCloseAChannelThatHasNotBegunYet() throws Exception {
        pair = open();
        Poller late = Poller.create(setup().poller("late"));
        ChannelConfig config = setup().left().poller(late).build();
        CompletableFuture<RdmaChannel> connecting = RdmaChannel.connectAsync(
                        pair.listener.address(), config, new Recorder())
                .toCompletableFuture();
        pair.pollUntil("the peer's side has begun", () -> pair.rightPoller.channelCount() == 2);
        pair.pollUntil("its poller can be closed", () -> isClosed(late));
        assertThat(connecting).isDone();
        pair.pollUntil("the peer's side has ended", () -> pair.rightPoller.channelCount() == 1);
    }

    @Test
    void shouldBeClosedByAnotherThreadWhenItsOwnHasEnded() throws Exception {
        pair = open();
        Poller[] orphaned = new Poller[1];
        RdmaChannel[] channel = new RdmaChannel[1];
        Thread owner = Thread.ofPlatform().start(() -> {
            orphaned[0] = Poller.create(setupQuietly().poller("orphaned"));
            ChannelConfig config = setupQuietly().left().poller(orphaned[0]).build();
            channel[0] = connectQuietly(config);
        });
        pair.pollUntil("its thread has ended", () -> !owner.isAlive());
        assertThat(channel[0].state()).isEqualTo(ChannelState.CONNECTED);
        orphaned[0].close();
        assertThat(channel[0].state()).isEqualTo(ChannelState.CLOSED);
    }

    private ChannelPair.Setup setupQuietly() {
        try {
            return setup();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    private RdmaChannel connectQuietly(ChannelConfig config) {
        try {
            return RdmaChannel.connect(pair.listener.address(), config, new Recorder());
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** While a handshake holds receive buffers or a queue pair closing is refused, and can be repeated. */
    private static boolean isClosed(Poller poller) {
        try {
            poller.close();
            return true;
        } catch (PoolInUseException expected) {
            return false;
        } catch (ChannelException expected) {
            assertThat(expected.reason()).isEqualTo(ChannelException.Reason.BUSY);
            return false;
        }
    }

    @Test
    void shouldFailWithWhatTheHandlerThrows() throws Exception {
        Recorder throwing = new Recorder() {
            @Override
            public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
                throw new IllegalStateException("thrown by the test");
            }
        };
        pair = new ChannelPair(setup(), atLeft, throwing);
        send(pair.left, Contents.memory(new byte[10]));
        pair.pollUntil("the channel failed", () -> pair.right.state() == ChannelState.FAILED);
        ChannelException failure = pair.right.failure().orElseThrow();
        assertThat(failure.reason()).isEqualTo(ChannelException.Reason.HANDLER);
        assertThat(failure).hasRootCauseMessage("thrown by the test");
        pair.pollUntil("the peer's side has ended", () -> pair.left.state().isOver());
        pair.right.close();
        assertThat(pair.right.state()).isEqualTo(ChannelState.CLOSED);
    }

    @Test
    void shouldSendAndCloseWithinItsHandlerButNotPoll() throws Exception {
        List<Throwable> thrown = new ArrayList<>();
        Recorder answering = new Recorder() {
            @Override
            public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
                channel.send(buffer, offset, length);
                try {
                    channel.poll();
                } catch (IllegalStateException expected) {
                    thrown.add(expected);
                }
                channel.close();
            }
        };
        pair = new ChannelPair(setup(), atLeft, answering);
        send(pair.left, Contents.memory(new byte[] {1, 2, 3}));
        pair.pollUntil(
                "both have ended",
                () -> pair.left.state().isOver() && pair.right.state().isOver());
        assertThat(atLeft.messages).hasSize(1);
        assertThat(atLeft.messages.getFirst()).containsExactly(1, 2, 3);
        assertThat(thrown).hasSize(1);
        assertThat(pair.left.state()).isEqualTo(ChannelState.CLOSED);
    }

    @Test
    void shouldKeepItsPromisesInARandomMixOfEverything() throws Exception {
        long seed = Long.getLong("channel.mix.seed", System.nanoTime());
        long seconds = Long.getLong("channel.mix.seconds", 2);
        MixedEnd atFirst = new MixedEnd(seed);
        MixedEnd atSecond = new MixedEnd(seed + 1);
        pair = new ChannelPair(setup(), atFirst, atSecond);
        atFirst.begin(pair.left);
        atSecond.begin(pair.right);
        String what = "with channel.mix.seed=" + seed;
        pair.pollUntil("the regions are known", () -> atFirst.isReady() && atSecond.isReady());
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < seconds * 1_000_000_000) {
            atFirst.step();
            atSecond.step();
            pair.poll();
            assertThat(pair.left.failure()).as(what).isEmpty();
            assertThat(pair.right.failure()).as(what).isEmpty();
        }
        pair.pollUntil(
                what,
                () -> atFirst.isIdle()
                        && atSecond.isIdle()
                        && atFirst.received() == atSecond.sent()
                        && atSecond.received() == atFirst.sent());
        System.out.println("random mix over " + pair.left.transport() + ", "
                + pair.leftPoller.config().mode() + ": " + (atFirst.operations() + atSecond.operations())
                + " operations in " + seconds + " s, seed " + seed);
    }

    @Test
    void shouldServeManyChannelsOnOnePoller() throws Exception {
        pair = open();
        int count = 64;
        List<Recorder> recorders = new ArrayList<>();
        List<CompletableFuture<RdmaChannel>> opening = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Recorder recorder = new Recorder();
            recorders.add(recorder);
            ChannelConfig config =
                    setup().left().poller(pair.leftPoller).receiveDepth(8).build();
            opening.add(RdmaChannel.connectAsync(pair.listener.address(), config, recorder)
                    .toCompletableFuture());
        }
        pair.pollUntil("all are connected", () -> opening.stream().allMatch(CompletableFuture::isDone));
        pair.pollUntil("all are accepted", () -> pair.rightPoller.channelCount() == count + 1);
        for (int i = 0; i < count; i++) {
            RdmaChannel channel = opening.get(i).get();
            byte[] bytes = Contents.bytes(i, 1000 + i);
            pair.pollUntil(
                    "a message is taken",
                    () -> channel.send(Contents.memory(bytes), 0, bytes.length, 1)
                            .isAccepted());
        }
        pair.pollUntil("all are handled", () -> recorders.stream().allMatch(one -> one.outcomes.size() == 1));
        assertThat(atRight.messages).hasSize(count);
        for (CompletableFuture<RdmaChannel> channel : opening) {
            pair.leftPoller.execute(channel.get()::close);
        }
        pair.pollUntil(
                "all are closed", () -> pair.leftPoller.channelCount() == 1 && pair.rightPoller.channelCount() == 1);
    }
}

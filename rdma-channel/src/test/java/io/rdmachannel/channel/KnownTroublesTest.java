// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.channel.rdma.PeerDescription;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.testing.Deadline;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What others have had trouble with, by its number in docs/known-troubles.md: what TCP can have, too. */
@Timeout(120)
class KnownTroublesTest {
    private static final int TCP = 1;
    private static final int CALLS = Integer.getInteger("channel.troubles.calls", 250);

    private Poller server;
    private Poller client;
    private RdmaListener listener;
    private final ConcurrentLinkedQueue<RdmaChannel> accepted = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void listen() {
        server = Poller.start(PollerConfig.of("server"));
        client = Poller.start(PollerConfig.of("client"));
    }

    /** A poller whose pool has buffers out refuses to close. */
    @AfterEach
    void shouldLeaveNothing() {
        if (listener != null) {
            listener.close();
        }
        client.close();
        server.close();
        assertThat(server.channelCount()).isZero();
    }

    @Test
    void shouldServeAfterManyWrongConnectionsOfEachKindTrouble27() throws Exception {
        bind(config(), Recorder::new);
        connect(new Recorder()).close();
        int descriptors = openDescriptors();
        Random random = new Random(27);
        byte[] hello = frame(ControlFrame.Type.HELLO, RawPeer.hello(TCP));
        byte[] absurd = hello.clone();
        absurd[8] = 0x7F;
        for (int i = 0; i < CALLS; i++) {
            byte[] garbage = new byte[1 + random.nextInt(4096)];
            random.nextBytes(garbage);
            callAndGo(new byte[0]);
            callAndGo(garbage);
            callAndGo(absurd);
            callAndGo(Arrays.copyOf(hello, hello.length / 2));
        }
        connect(new Recorder()).close();
        Deadline.usual().await("as few open files as before", () -> openDescriptors() <= descriptors + 4);
    }

    /** In network byte order, whatever the machine's. */
    @Test
    void shouldGreetByteByByteTrouble27() {
        Fields hello = PeerDescription.describe(RawPeer.hello(3)).put(Tag.RECEIVE_CREDIT, 4, 100);
        assertThat(HexFormat.of().formatHex(frame(ControlFrame.Type.HELLO, hello)))
                .isEqualTo("52444348" + "01" + "00" + "0001" + "0000008a" + "00000000"
                        + "00010010" + "05".repeat(16)
                        + "00020008" + "0000000000000000"
                        + "00030001" + "03"
                        + "00040004" + "00002000"
                        + "00050004" + "00000080"
                        + "00060008" + "0000000000100000"
                        + "00100004" + "00000064"
                        + "00110004" + "00000007"
                        + "00120010" + "00000000000000000000ffff0a000001"
                        + "00130002" + "0000"
                        + "00140004" + "00000400"
                        + "00150001" + "02"
                        + "00160001" + "04"
                        + "00170001" + "04"
                        + "00180004" + "00000064");
    }

    @Test
    void shouldCloseOnceWhoeverClosesHoweverOftenTrouble38() throws Exception {
        bind(config(), Recorder::new);
        for (int round = 0; round < 50; round++) {
            List<ChannelState> states = Collections.synchronizedList(new ArrayList<>());
            RdmaChannel channel = connect(new ClosingInItsHandler(states));
            accepted.remove().sendAsync(Arena.ofShared().allocate(1));
            List<Thread> closers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                closers.add(Thread.ofPlatform().start(() -> {
                    channel.close();
                    channel.close();
                }));
            }
            Deadline.usual().await("the end of it", () -> channel.state() == ChannelState.CLOSED);
            for (Thread closer : closers) {
                Deadline.usual().awaitEnd(closer);
            }
            assertThat(states).containsExactly(ChannelState.CONNECTED, ChannelState.CLOSING, ChannelState.CLOSED);
        }
    }

    @Test
    void shouldSurviveTheEndOfTwoHundredPeersAtOnceTrouble38() throws Exception {
        bind(
                config().receiveDepth(8)
                        .sendDepth(8)
                        .handshakesMax(500)
                        .handshakesPerAddressMax(500)
                        .acceptBacklog(500),
                Recorder::new);
        List<RawPeer> peers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            attach(peers, i);
        }
        Deadline.usual().await("all are accepted", () -> accepted.size() == 200);
        for (RawPeer peer : peers) {
            peer.close();
        }
        Deadline.usual().await("all have failed", () -> server.channelCount() == 0);
        assertThat(accepted).allSatisfy(channel -> assertThat(channel.state()).isEqualTo(ChannelState.FAILED));
        connect(new Recorder()).close();
    }

    @Test
    void shouldServeOthersWhileOneKeepsWhatItGetsTrouble42() throws Exception {
        Keeper keeper = new Keeper();
        List<ChannelHandler> handlers = new ArrayList<>(Collections.nCopies(7, new Recorder()));
        handlers.addFirst(keeper);
        bind(config().receiveDepth(8).sendDepth(8), handlers::removeFirst);
        List<RdmaChannel> channels = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            channels.add(connect(new Recorder()));
        }
        List<CompletableFuture<Void>> toKeeper = send(channels.getFirst(), 100);
        Deadline.usual().await("one keeps all that it can get", () -> keeper.kept.size() >= 4);
        for (RdmaChannel other : channels.subList(1, 8)) {
            List<CompletableFuture<Void>> sent = send(other, 500);
            Deadline.usual().await("the others go on", () -> sent.stream().allMatch(CompletableFuture::isDone));
            assertThat(sent).noneMatch(CompletableFuture::isCompletedExceptionally);
        }
        assertThat(toKeeper.getLast()).isNotDone();
        keeper.stop();
        Deadline.usual().await("it goes on, too", () -> toKeeper.getLast().isDone());
        assertThat(toKeeper).noneMatch(CompletableFuture::isCompletedExceptionally);
        channels.forEach(RdmaChannel::close);
    }

    @Test
    void shouldKeepTheOrderOfEachOfManySendersTrouble48() throws Exception {
        Numbers numbers = new Numbers(16);
        bind(config(), () -> numbers);
        RdmaChannel channel = connect(new Recorder());
        List<CompletableFuture<Void>> ends = Collections.synchronizedList(new ArrayList<>());
        List<Thread> senders = new ArrayList<>();
        int each = 2_000;
        for (int sender = 0; sender < 16; sender++) {
            int who = sender;
            senders.add(Thread.ofPlatform().start(() -> {
                for (int number = 0; number < each; number++) {
                    MemorySegment message = Arena.ofShared().allocate(8);
                    message.set(ValueLayout.JAVA_INT, 0, who);
                    message.set(ValueLayout.JAVA_INT, 4, number);
                    ends.add(channel.sendAsync(message).toCompletableFuture());
                }
            }));
        }
        for (Thread sender : senders) {
            Deadline.usual().awaitEnd(sender);
        }
        Deadline.usual().await("all have ended", () -> ends.stream().allMatch(CompletableFuture::isDone));
        channel.close();
        assertThat(ends).hasSize(16 * each).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(numbers.next).containsOnly(each);
    }

    /** Counts what each of many senders has sent, which must be in order. */
    private static final class Numbers implements ChannelHandler {
        private final int[] next;

        Numbers(int senders) {
            next = new int[senders];
        }

        @Override
        public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
            int sender = buffer.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
            assertThat(buffer.get(ValueLayout.JAVA_INT_UNALIGNED, offset + 4)).isEqualTo(next[sender]++);
        }
    }

    /** Keeps every message until it is stopped. */
    private static final class Keeper implements ChannelHandler {
        private final ConcurrentLinkedQueue<Lease> kept = new ConcurrentLinkedQueue<>();
        private volatile boolean stopped;

        @Override
        public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
            if (!stopped) {
                kept.add(channel.retainMessage());
            }
        }

        void stop() {
            stopped = true;
            Deadline.usual().await("all are released", () -> {
                for (Lease lease = kept.poll(); lease != null; lease = kept.poll()) {
                    lease.release();
                }
                return kept.isEmpty();
            });
        }
    }

    /** Closes the channel when it gets a message. */
    private record ClosingInItsHandler(List<ChannelState> states) implements ChannelHandler {
        @Override
        public void onMessage(RdmaChannel channel, MemorySegment buffer, long offset, long length) {
            channel.close();
        }

        @Override
        public void onStateChange(RdmaChannel channel, ChannelState before, ChannelState now) {
            states.add(now);
        }
    }

    private void bind(ChannelConfigBuilder config, Supplier<ChannelHandler> handlers) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = RdmaListener.bind(any, config.poller(server).build(), handlers);
        acceptNext();
    }

    private void acceptNext() {
        listener.acceptAsync().thenAccept(channel -> {
            accepted.add(channel);
            acceptNext();
        });
    }

    private RdmaChannel connect(ChannelHandler handler) throws InterruptedException {
        int before = accepted.size();
        RdmaChannel channel =
                RdmaChannel.connect(listener.address(), config().poller(client).build(), handler);
        Deadline.usual().await("it is accepted", () -> accepted.size() > before);
        return channel;
    }

    private void attach(List<RawPeer> peers, int number) throws IOException {
        byte[] session = new byte[16];
        Arrays.fill(session, (byte) number);
        RawPeer control = new RawPeer(listener.address());
        RawPeer data = new RawPeer(listener.address());
        peers.add(control);
        peers.add(data);
        control.send(ControlFrame.Type.HELLO, RawPeer.hello(TCP).put(Tag.SESSION, session));
        Fields welcome = Fields.decode(control.receive().payload());
        data.send(ControlFrame.Type.ATTACH, RawPeer.attach(welcome));
        control.send(ControlFrame.Type.READY, new Fields().put(Tag.TRANSPORTS, 1, TCP));
    }

    private void callAndGo(byte[] said) throws IOException {
        try (RawPeer peer = new RawPeer(listener.address())) {
            peer.send(said);
        }
    }

    private static List<CompletableFuture<Void>> send(RdmaChannel channel, int count) {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ends.add(channel.sendAsync(Arena.ofShared().allocate(100)).toCompletableFuture());
        }
        return ends;
    }

    private static byte[] frame(ControlFrame.Type type, Fields fields) {
        return new ControlFrame(type, fields.encode()).encode();
    }

    private static int openDescriptors() {
        return new File("/proc/self/fd").list().length;
    }

    private static ChannelConfigBuilder config() {
        return ChannelConfig.builder().transport(Transport.TCP).lingerTimeout(Duration.ofSeconds(1));
    }
}

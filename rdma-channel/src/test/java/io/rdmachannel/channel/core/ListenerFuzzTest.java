// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelException.Reason;
import io.rdmachannel.channel.PollerConfig;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.channel.protocol.ControlFrame;
import io.rdmachannel.channel.protocol.Fields;
import io.rdmachannel.channel.protocol.Fields.Tag;
import io.rdmachannel.mempool.PoolStats;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A listener that is called over real connections, up to four at a time, by somebody who says anything on them: from
 * the handshake to the data path. The input is a script: each step a byte, and what the step takes. Behind its end all
 * connections are ended, and the listener has to end them, too, give everything back, and welcome the next caller.
 */
class ListenerFuzzTest {
    private static final FuzzChecks CHECKS = FuzzChecks.ofAllThreads();
    private static final Duration LIMIT = Duration.ofSeconds(8);
    private static final int CALLERS = 4;
    private static final int INPUTS_A_COUNT = 200;
    private static final int DESCRIPTORS_MAX = 200;
    private static final int STEPS_MAX = 60;
    private static final int ROUNDS_AT_ONCE = 20;
    private static final long PAUSE_NANOS = 200_000;
    private static final Set<Reason> PEERS_FAULT = EnumSet.of(Reason.PROTOCOL, Reason.REMOTE_ACCESS, Reason.PEER_GONE);
    private static ListenerFuzzTest place;

    private final EventLoop loop = EventLoop.create(PollerConfig.of("fuzz").withPool(1 << 20, 4 << 20));
    private final ConcurrentLinkedQueue<RdmaChannel> accepted = new ConcurrentLinkedQueue<>();
    private final Listener listener = Listener.bind(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            ChannelConfig.builder()
                    .poller(loop)
                    .transport(Transport.TCP)
                    .receiveBytes(256)
                    .receiveDepth(8)
                    .sendDepth(8)
                    .maxMessageBytes(4096)
                    .handshakeTimeout(Duration.ofMillis(40))
                    .connectTimeout(Duration.ofMillis(40))
                    .lingerTimeout(Duration.ofMillis(5))
                    .build(),
            () -> (channel, buffer, offset, length) -> channel.send(buffer, offset, length));

    private final List<FuzzedCaller> callers = new ArrayList<>();
    private FuzzedCaller caller;
    private int inputs;

    @FuzzTest
    void shouldEndEveryCallAndTakeTheNext(byte[] data) throws IOException {
        fuzzerTestOneInput(data);
    }

    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        if (place == null) {
            place = new ListenerFuzzTest();
            place.acceptNext();
            place.loop.sources().tcp();
        }
        // Up to five handshakes with buffers for sockets, and two channels.
        CHECKS.run((8L << 20) + 256L * data.length, () -> place.run(new FuzzScript(data)));
    }

    private void run(FuzzScript script) throws IOException {
        callers.clear();
        call();
        for (int step = 0; step < STEPS_MAX && script.hasMore(); step++) {
            step(script);
        }
        callers.forEach(FuzzedCaller::endOutput);
        await("the ends of its connections", () -> callers.stream().allMatch(FuzzedCaller::isOver));
        for (FuzzedCaller each : callers) {
            each.close(false);
        }
        await("the ends of its channels", () -> loop.channelCount() == 0 && isAllBack());
        checkChannels();
        checkNextCaller();
        await("the end of the last call", this::isAllBack);
        if (++inputs % INPUTS_A_COUNT == 0) {
            await("the ends of its sockets", () -> new File("/proc/self/fd").list().length < DESCRIPTORS_MAX);
        }
    }

    private void step(FuzzScript script) throws IOException {
        switch (script.next(12)) {
            case 0 -> caller.hello(script.next(), Offer.TCP_BIT ^ script.next(), script.take(script.next()));
            case 1 -> attach(script);
            case 2 ->
                caller.frame(
                        ControlFrame.Type.READY,
                        new Fields()
                                .put(Tag.TRANSPORTS, 1, Offer.TCP_BIT ^ script.next())
                                .encode());
            case 3 -> caller.send(script.take(script.next()));
            case 4 -> caller.frame(type(script), script.take(script.next()));
            case 5 -> caller.send(script.take(script.nextShort()));
            case 6 -> call();
            case 7 -> caller = callers.get(script.next() % callers.size());
            case 8 -> poll();
            case 9 -> caller.endOutput();
            case 10 -> caller.close(script.nextBoolean());
            default -> caller.frame(ControlFrame.Type.GOODBYE, new byte[0]);
        }
    }

    private void call() throws IOException {
        if (callers.size() < CALLERS) {
            caller = new FuzzedCaller(listener.address());
            callers.add(caller);
        }
    }

    /** Opens the second connection of whoever is welcome. */
    private void attach(FuzzScript script) throws IOException {
        FuzzedCaller first = caller;
        if (first.session() != null && callers.size() < CALLERS) {
            await("an answer to a greeting", () -> first.isOver() || answer(first) != null);
            byte[] secret = first.secret();
            if (secret != null) {
                secret[0] ^= (byte) script.next();
                call();
                caller.frame(
                        ControlFrame.Type.ATTACH,
                        new Fields()
                                .put(Tag.SESSION, first.session())
                                .put(Tag.PROOF, AttachProof.of(secret, new byte[0], first.session()))
                                .encode());
            }
        }
    }

    private static ControlFrame.Type type(FuzzScript script) {
        return ControlFrame.Type.values()[script.next(ControlFrame.Type.values().length)];
    }

    private void checkChannels() {
        for (RdmaChannel channel = accepted.poll(); channel != null; channel = accepted.poll()) {
            channel.close();
            ChannelException failure = channel.failure().orElse(null);
            if (failure != null && !PEERS_FAULT.contains(failure.reason())) {
                throw new AssertionError("the peer's doing made a channel fail in another way", failure);
            }
        }
    }

    private void checkNextCaller() throws IOException {
        Deadline deadline = Deadline.after(LIMIT);
        while (!isNextCallerWelcome()) {
            // On a busy machine a greeting may come after handshakeTimeout.
            if (deadline.isOver()) {
                throw new AssertionError("the next caller is not welcome");
            }
        }
    }

    private boolean isNextCallerWelcome() throws IOException {
        FuzzedCaller next = new FuzzedCaller(listener.address());
        next.hello(0xEE, Offer.TCP_BIT, new byte[0]);
        await("an answer to the next caller", () -> {
            next.receive();
            return next.isOver() || answer(next) != null;
        });
        next.endOutput();
        await("the end of the next call", () -> {
            next.receive();
            return next.isOver();
        });
        next.close(false);
        return next.secret() != null;
    }

    private static ControlFrame answer(FuzzedCaller caller) {
        try {
            return caller.answer();
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** A call that was closed at once may still be dealt with, so it is not compared with how this input began. */
    private boolean isAllBack() {
        PoolStats now = loop.sources().tcp().pool().stats();
        return now.inUse() == 0 && now.claimed() == 0 && now.leaks() == 0;
    }

    private void await(String what, BooleanSupplier condition) {
        Deadline deadline = Deadline.after(LIMIT);
        for (int round = 0; !condition.getAsBoolean(); round++) {
            if (deadline.isOver()) {
                throw new AssertionError("not within " + LIMIT + ": " + what);
            }
            poll();
            LockSupport.parkNanos(round < ROUNDS_AT_ONCE ? 1 : PAUSE_NANOS);
        }
    }

    private void poll() {
        loop.poll();
        callers.forEach(FuzzedCaller::receive);
    }

    private void acceptNext() {
        listener.acceptAsync().thenAccept(channel -> {
            accepted.add(channel);
            acceptNext();
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.channel.AsyncOperations;
import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.channel.ChannelHandler;
import io.rdmachannel.channel.ChannelState;
import io.rdmachannel.channel.ExposedRegion;
import io.rdmachannel.channel.Outcome;
import io.rdmachannel.channel.OutgoingMessage;
import io.rdmachannel.channel.Poller;
import io.rdmachannel.channel.RdmaChannel;
import io.rdmachannel.channel.RegionRight;
import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.channel.Transport;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredBuffer;
import io.rdmachannel.mempool.RegisteredMemoryPool;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A channel: what users hold. Puts the parts together; the life of it is {@link ChannelLife}'s. */
final class ChannelCore implements RdmaChannel {
    /** Another one after a recovery. */
    private volatile ChannelSetup setup;

    private final EventLoop loop;
    private final ChannelConfig config;
    private final ChannelHandler handler;
    private final RegisteredMemoryPool pool;
    private final Conversation values;
    private final ChannelLife life;
    private final Credits credits;
    private final ClaimedMessage claimed = new ClaimedMessage(this);
    private final Regions regions = new Regions(this);
    private final AsyncQueue asyncQueue = new AsyncQueue();
    private final AsyncView async = new AsyncView(this);
    private final Notices notices = new Notices();
    private final Recovery recovery;
    private final Messages messages;
    private final Completion told;
    private final Counters counters = new Counters();
    private final WatchedCompletion watched = new WatchedCompletion(this);

    private Link link;
    private Outgoing outgoing;
    private Incoming incoming;
    private OneSided oneSided;

    ChannelCore(ChannelSetup setup) {
        this.setup = setup;
        this.loop = setup.loop();
        this.config = setup.config();
        this.handler = setup.handler();
        this.values = setup.values();
        this.pool = setup.receives().pool();
        this.credits = new Credits(setup.receives().credit(), values.peerReceiveCredit(), values.peerReceiveDepth());
        this.told = (token, outcome) -> handler.onCompletion(this, token, outcome);
        this.life = new ChannelLife(this, setup);
        this.recovery = new Recovery(this, setup);
        this.messages = new Messages(this, counters, watched, values);
    }

    /** Opens the channel, in the event loop's thread. */
    void begin() {
        int depth = config.sendDepth();
        link = setup.link().begin(life);
        OutgoingPlan plan = new OutgoingPlan(
                depth, values.eagerBytes(), told, setup.resumable().isPresent());
        outgoing = new Outgoing(link, pool, credits, plan);
        incoming = new Incoming(link, outgoing, credits, setup.receives(), values, new Deliveries(this, life));
        oneSided = new OneSided(link, credits, outgoing, depth, told, new OperationCount(counters, watched));
        life.begin();
    }

    /** Gives back what the handshake made, when the channel could not begin; in the event loop's thread. */
    void undo() {
        setup.undo();
    }

    /** The link is closed: everything that has not ended is kept. */
    void suspend() {
        link = null;
        notices.clear();
        incoming.suspend();
        outgoing.suspend();
        oneSided.suspend();
        setup.receives().close();
        setup.control().fallSilent();
    }

    /**
     * Goes on with another link.
     *
     * @param next what it came from
     * @param another the link, which has begun
     * @param peer what the peer has handled
     * @throws io.rdmachannel.channel.protocol.ProtocolException if the peer says what cannot be
     */
    void resume(ChannelSetup next, Link another, Delivered peer) {
        setup.control().close();
        setup = next;
        link = another;
        credits.restart(next.receives().credit(), next.values().peerReceiveCredit());
        incoming.resume(another, next.receives());
        oneSided.resume(another);
        outgoing.resume(another, peer.messages());
        regions.resume(another);
    }

    /** Whether there is a link to tell the peer something by. */
    boolean isLinked() {
        return link != null && !life.state().isOver() && life.state() != ChannelState.CLOSING;
    }

    ChannelSetup setup() {
        return setup;
    }

    ChannelLife life() {
        return life;
    }

    Recovery recovery() {
        return recovery;
    }

    EventLoop loop() {
        return loop;
    }

    RegisteredMemoryPool pool() {
        return pool;
    }

    long handledMessages() {
        return credits.handled();
    }

    Control control() {
        return setup.control();
    }

    @Override
    public ChannelState state() {
        return life.state();
    }

    @Override
    public Optional<ChannelException> failure() {
        return life.failure();
    }

    @Override
    public Transport transport() {
        return setup.transport();
    }

    @Override
    public Optional<String> fallbackReason() {
        return setup.fallbackReason();
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public InetSocketAddress peerAddress() {
        return setup.control().peer();
    }

    @Override
    public Poller poller() {
        return loop;
    }

    @Override
    public Counters counters() {
        return counters;
    }

    @Override
    public Submission send(MemorySegment source, long offset, long length) {
        return counted(messages.send(source, offset, length, 0, Completion.NONE));
    }

    @Override
    public Submission send(MemorySegment source, long offset, long length, long token) {
        return counted(messages.send(source, offset, length, token, told));
    }

    @Override
    public Submission send(List<MemorySegment> pieces, long token) {
        return counted(messages.send(pieces, token));
    }

    @Override
    public Submission send(ByteBuffer source) {
        Submission answer = send(MemorySegment.ofBuffer(source), 0, source.remaining());
        if (answer.isAccepted()) {
            source.position(source.limit());
        }
        return answer;
    }

    @Override
    public CompletionStage<Void> sendAsync(MemorySegment source) {
        return async.send(source);
    }

    @Override
    public AsyncOperations async() {
        return async;
    }

    @Override
    public OutgoingMessage claim(long length) {
        requireThread();
        messages.requireLength(length);
        boolean open = life.state().isOpen() || life.state() == ChannelState.RECOVERING;
        if (!open || claimed.isOpen()) {
            throw new IllegalStateException(
                    claimed.isOpen() ? "a claim is open already: commit or abort it first" : notOpen());
        }
        Lease message = pool.acquire(length);
        if (message == null) {
            counters.answered(Submission.POOL_EXHAUSTED);
        }
        return claimed.begin(message, length);
    }

    @Override
    public Lease retainMessage() {
        requireThread();
        return incoming.retain();
    }

    @Override
    public Lease acquire(long bytes) {
        return pool.acquire(bytes);
    }

    @Override
    public RegisteredBuffer register(MemorySegment memory) {
        return pool.register(memory);
    }

    @Override
    public ExposedRegion expose(String name, MemorySegment memory, Set<RegionRight> rights) {
        requireThread();
        if (!life.state().isOpen()) {
            throw new IllegalStateException(notOpen());
        }
        return regions.expose(name, memory, rights);
    }

    @Override
    public Optional<RemoteRegion> remoteRegion(String name) {
        requireThread();
        return regions.remote(name);
    }

    @Override
    public Submission write(RegisteredBuffer source, long from, RemoteRegion target, long to, long length, long token) {
        requireThread();
        return life.state().isOpen() ? flushed(oneSided.write(source, from, target, to, length, token)) : refusal();
    }

    @Override
    public Submission write(List<? extends RegisteredBuffer> sources, RemoteRegion target, long to, long token) {
        requireThread();
        return life.state().isOpen() ? flushed(oneSided.write(sources, target, to, token)) : refusal();
    }

    @Override
    public Submission read(RemoteRegion source, long from, List<? extends RegisteredBuffer> targets, long token) {
        requireThread();
        return life.state().isOpen() ? flushed(oneSided.read(source, from, targets, token)) : refusal();
    }

    @Override
    public Submission writeWithImmediate(
            RegisteredBuffer source, long from, RemoteRegion target, long to, long length, int immediate, long token) {
        requireThread();
        return life.state().isOpen()
                ? flushed(oneSided.writeWithImmediate(source, from, target, to, length, immediate, token))
                : refusal();
    }

    @Override
    public Submission read(RemoteRegion source, long from, RegisteredBuffer target, long to, long length, long token) {
        requireThread();
        return life.state().isOpen() ? flushed(oneSided.read(source, from, target, to, length, token)) : refusal();
    }

    @Override
    public Submission compareAndSwap(
            RemoteRegion target, long at, long expected, long replacement, RegisteredBuffer result, long token) {
        requireThread();
        return life.state().isOpen()
                ? flushed(oneSided.compareAndSwap(target, at, expected, replacement, result, token))
                : refusal();
    }

    @Override
    public Submission fetchAndAdd(RemoteRegion target, long at, long addend, RegisteredBuffer result, long token) {
        requireThread();
        return life.state().isOpen() ? flushed(oneSided.fetchAndAdd(target, at, addend, result, token)) : refusal();
    }

    @Override
    public int poll() {
        return loop.poll();
    }

    @Override
    public int poll(Duration timeout) {
        return loop.poll(timeout);
    }

    @Override
    public void close() {
        life.close();
    }

    @Override
    public String toString() {
        return "channel to " + setup.control().peer() + " over " + setup.transport() + ", " + life.state();
    }

    /** Sends a copy; the completion is told. */
    Submission send(MemorySegment source, long offset, long length, long token, Completion completion) {
        return messages.send(source, offset, length, token, completion);
    }

    /** What an operation answers while the channel is not open. */
    Submission refusal() {
        return life.state() == ChannelState.RECOVERING ? Submission.RECOVERING : Submission.NOT_OPEN;
    }

    /** Has a request begun by the loop's thread, when there is room. Any thread. */
    <T> CompletableFuture<T> request(AsyncRequest<T> request) {
        boolean possible = loop.executeUnlessClosed(() -> {
            asyncQueue.add(request);
            loop.attend(life);
        });
        if (!possible) {
            request.ended(0, Outcome.CANCELLED);
        }
        return request.future();
    }

    /** Does something in the peer's memory whose end is told to somebody else than the handler. */
    Submission oneSided(Completion whom, Function<OneSided, Submission> operation) {
        return life.state().isOpen() ? letGo(operation.apply(oneSided.telling(whom))) : refusal();
    }

    Submission submit(Lease message, long length, long token, Completion completion) {
        return messages.submit(message, length, token, completion);
    }

    Completion told() {
        return told;
    }

    Link link() {
        return link;
    }

    Outgoing outgoing() {
        return outgoing;
    }

    Incoming incoming() {
        return incoming;
    }

    OneSided oneSided() {
        return oneSided;
    }

    Regions regions() {
        return regions;
    }

    AsyncQueue asyncQueue() {
        return asyncQueue;
    }

    ClaimedMessage claimed() {
        return claimed;
    }

    ChannelHandler handler() {
        return handler;
    }

    /** What the peer is told when it can be. */
    Notices notices() {
        return notices;
    }

    /** Sends notices, as many as possible now; says whether some are left. */
    boolean sendNotices() {
        if (notices.isEmpty() || link == null) {
            return false;
        }
        notices.send(outgoing);
        if (!notices.isEmpty()) {
            loop.attend(life);
        }
        flushUnlessPolling();
        return !notices.isEmpty();
    }

    void requireThread() {
        loop.requireOwner();
    }

    /** Within a poll many posts are let go together, at its end. */
    void flushUnlessPolling() {
        if (loop.isPolling()) {
            loop.attend(life);
        } else {
            link.flush();
        }
    }

    /** Counts what its user has to try again. What waits for room by itself is tried again at each poll. */
    Submission counted(Submission answer) {
        if (answer != Submission.ACCEPTED) {
            counters.answered(answer);
        }
        return answer;
    }

    private Submission flushed(Submission answer) {
        return counted(letGo(answer));
    }

    /** Lets what was accepted go. */
    Submission letGo(Submission answer) {
        if (answer == Submission.ACCEPTED) {
            flushUnlessPolling();
        }
        return answer;
    }

    private String notOpen() {
        return "the channel is " + life.state()
                + life.failure().map(failure -> ": " + failure.getMessage()).orElse("");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.channel.core.Connector;
import io.rdmachannel.mempool.Lease;
import io.rdmachannel.mempool.RegisteredBuffer;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A connection to one peer process, over RDMA or TCP with the same promises.
 *
 * <ul>
 *   <li>Messages arrive whole, in the order in which they were accepted, once each, while both processes live.
 *   <li>Reads, writes and atomics in exposed memory are in order with messages of the same channel: a message that is
 *       sent after a write is handled after the write has landed.
 *   <li>When something is full the answer is a {@link Submission} that says what, and nothing has happened.
 * </ul>
 *
 * <p><b>Threads.</b> A channel belongs to the thread of its {@link Poller}; every method does, and throws
 * {@link WrongThreadException} elsewhere, except those that say that any thread may call them. No method blocks, except
 * {@link #connect}, and {@link #close()} while it lingers. Nothing happens unless somebody polls: the poller's own
 * thread, or a caller of {@link #poll()}.
 *
 * <p><b>Tokens.</b> Operations with a token end with one {@link ChannelHandler#onCompletion}, whatever happens. They
 * end in the order in which they were accepted, sends among sends and one-sided operations among one-sided operations.
 *
 * <p>Lives until {@link #close()}, or until it fails; also a failed one must be closed.
 */
public interface RdmaChannel extends AutoCloseable {
    /**
     * Connects, and waits until the channel works, at most for {@link ChannelConfig#connectTimeout()}. Attempts that
     * fail for want of a listener are repeated, with growing pauses, until then. Any thread; without a poller in the
     * configuration the channel gets one of its own, which the calling thread owns.
     *
     * @param address where a {@link RdmaListener} is bound; IPv4 or IPv6, link-local with its zone
     * @param config how
     * @param handler what is told of the channel
     * @return a connected channel
     * @throws ChannelException if there is no connection in time; the message says at what it stopped
     * @throws InterruptedException if interrupted; nothing is left then
     */
    static RdmaChannel connect(InetSocketAddress address, ChannelConfig config, ChannelHandler handler)
            throws InterruptedException {
        return Connector.connect(address, config, handler);
    }

    /**
     * Connects without waiting. Any thread; the configuration must name a poller.
     *
     * @param address where a {@link RdmaListener} is bound
     * @param config how
     * @param handler what is told of the channel
     * @return completes with a connected channel, or exceptionally with a {@link ChannelException}
     * @throws IllegalArgumentException if the configuration names no poller
     */
    static CompletionStage<RdmaChannel> connectAsync(
            InetSocketAddress address, ChannelConfig config, ChannelHandler handler) {
        return Connector.connectAsync(address, config, handler);
    }

    /**
     * Says where the channel stands. Any thread.
     *
     * @return the state
     */
    ChannelState state();

    /**
     * Says why the channel failed. Any thread.
     *
     * @return the first error; empty unless failed
     */
    Optional<ChannelException> failure();

    /**
     * Says how the bytes travel. Any thread.
     *
     * @return RDMA or TCP
     */
    Transport transport();

    /**
     * Says why TCP was taken although RDMA was allowed. Any thread.
     *
     * @return a sentence; empty when it was not so
     */
    Optional<String> fallbackReason();

    /**
     * Gives the configuration. Any thread.
     *
     * @return as it was built
     */
    ChannelConfig config();

    /**
     * Gives the peer's address. Any thread.
     *
     * @return of the control connection
     */
    InetSocketAddress peerAddress();

    /**
     * Gives the poller. Any thread.
     *
     * @return whose thread the channel belongs to
     */
    Poller poller();

    /**
     * Gives the channel's counts. Any thread, also after the end.
     *
     * @return always the same view
     */
    ChannelCounters counters();

    /**
     * Sends a copy of some bytes; they can be changed when the call returns.
     *
     * @param source any memory, also of the heap
     * @param offset where the message begins
     * @param length its length, 0 to {@link ChannelConfig#maxMessageBytes()}
     * @return whether it was accepted
     * @throws IndexOutOfBoundsException if the bytes are not in the source
     * @throws IllegalArgumentException if longer than the limit
     */
    Submission send(MemorySegment source, long offset, long length);

    /**
     * Sends a copy of some bytes, and tells its end: the peer's handler has had the message.
     *
     * @param source any memory, also of the heap
     * @param offset where the message begins
     * @param length its length, 0 to {@link ChannelConfig#maxMessageBytes()}
     * @param token any number, for {@link ChannelHandler#onCompletion}
     * @return whether it was accepted
     * @throws IndexOutOfBoundsException if the bytes are not in the source
     * @throws IllegalArgumentException if longer than the limit
     */
    Submission send(MemorySegment source, long offset, long length, long token);

    /**
     * Sends a copy of several pieces as one message, and tells its end.
     *
     * @param pieces any memory, also of the heap, in the order of the message
     * @param token any number, for {@link ChannelHandler#onCompletion}
     * @return whether it was accepted
     * @throws IllegalArgumentException if longer than the limit
     */
    Submission send(List<MemorySegment> pieces, long token);

    /**
     * Sends a copy of the bytes between position and limit, which are moved together when it was accepted. Makes an
     * object; {@link #send(MemorySegment, long, long)} does not.
     *
     * @param source any buffer
     * @return whether it was accepted
     * @throws IllegalArgumentException if longer than the limit
     */
    Submission send(ByteBuffer source);

    /**
     * Sends a copy from any thread, and waits for room by itself.
     *
     * @param source any memory; not to be changed before the stage completes
     * @return completes when the peer's handler has had the message; exceptionally with a {@link ChannelException}
     */
    CompletionStage<Void> sendAsync(MemorySegment source);

    /**
     * Gives the one-sided operations for any thread. Any thread.
     *
     * @return always the same object
     */
    AsyncOperations async();

    /**
     * Begins a message that is written in place.
     *
     * @param length the most it will have, 0 to {@link ChannelConfig#maxMessageBytes()}
     * @return the message, or null when the pool is exhausted
     * @throws IllegalArgumentException if longer than the limit
     * @throws IllegalStateException if a claim is open, or the channel is not
     */
    OutgoingMessage claim(long length);

    /**
     * Keeps the message that is being handled; only within {@link ChannelHandler#onMessage}. The receive buffer is
     * missing until the lease is released, and the peer has that much less credit.
     *
     * @return a lease whose first {@code length} bytes are the message, to be released by the caller, by any thread
     * @throws IllegalStateException if no message is being handled
     */
    Lease retainMessage();

    /**
     * Acquires a registered buffer of the channel's pool, for one-sided operations. Any thread.
     *
     * @param bytes the payload
     * @return a lease to be released by the caller, or null when the pool is exhausted
     */
    Lease acquire(long bytes);

    /**
     * Registers memory of the caller's for one-sided operations. Any thread; blocks when it has to register.
     *
     * @param memory native memory that is not of a confined arena
     * @return the memory with its keys, to be closed by the caller when no operation uses it any more
     */
    RegisteredBuffer register(MemorySegment memory);

    /**
     * Exposes memory to the peer, which is told.
     *
     * @param name what the peer finds it by: 1 to 64 bytes in UTF-8, one region of that name at a time
     * @param memory native memory that is not of a confined arena, at least 1 byte; it must live as long as the region
     * @param rights what the peer may do, at least one
     * @return the region
     * @throws IllegalArgumentException if name, memory or rights will not do
     * @throws IllegalStateException if the channel is not open, or cannot tell the peer now: poll, then try again
     */
    ExposedRegion expose(String name, MemorySegment memory, Set<RegionRight> rights);

    /**
     * Finds a region that the peer has exposed.
     *
     * @param name the peer's name for it
     * @return the region; empty when the peer has not told of it yet, or has revoked it
     */
    Optional<RemoteRegion> remoteRegion(String name);

    /**
     * Writes to the peer's memory. The peer is not told.
     *
     * @param source registered memory of this channel's pool, not to be changed before the end
     * @param sourceOffset where the bytes begin
     * @param target the peer's region
     * @param targetOffset where they go
     * @param length how many, 0 or more
     * @param token any number, for {@link ChannelHandler#onCompletion}
     * @return whether it was accepted
     * @throws IndexOutOfBoundsException if source or target is too small
     * @throws IllegalArgumentException if the source is of another pool or released, or the right is missing
     */
    Submission write(
            RegisteredBuffer source,
            long sourceOffset,
            RemoteRegion target,
            long targetOffset,
            long length,
            long token);

    /**
     * Gathers: writes several buffers to the peer's memory, one behind the other. The peer is not told.
     *
     * @param sources registered memory of this channel's pool, the {@code length()} of each, not to be changed before
     *     the end; at least one, at most half of {@link ChannelConfig#sendDepth()}
     * @param target the peer's region
     * @param targetOffset where they go
     * @param token any number, for {@link ChannelHandler#onCompletion}, told once for all
     * @return whether it was accepted; all or nothing
     * @throws IndexOutOfBoundsException if the target is too small
     * @throws IllegalArgumentException if there are too few or many, one is of another pool or released, or the right
     *     is missing
     */
    Submission write(List<? extends RegisteredBuffer> sources, RemoteRegion target, long targetOffset, long token);

    /**
     * Scatters: reads from the peer's memory into several buffers, one after the other.
     *
     * @param source the peer's region
     * @param sourceOffset where the bytes begin
     * @param targets registered memory of this channel's pool, of which {@code length()} is filled, undefined until the
     *     end; at least one, at most half of {@link ChannelConfig#sendDepth()}
     * @param token any number, for {@link ChannelHandler#onCompletion}, told once for all
     * @return whether it was accepted; all or nothing
     * @throws IndexOutOfBoundsException if the source is too small
     * @throws IllegalArgumentException if there are too few or many, one is of another pool or released, or the right
     *     is missing
     */
    Submission read(RemoteRegion source, long sourceOffset, List<? extends RegisteredBuffer> targets, long token);

    /**
     * Writes to the peer's memory, and tells the peer when the bytes have landed
     * ({@link ChannelHandler#onWriteWithImmediate}).
     *
     * @param source registered memory of this channel's pool, not to be changed before the end
     * @param sourceOffset where the bytes begin
     * @param target the peer's region
     * @param targetOffset where they go
     * @param length how many, 0 or more
     * @param immediate 32 bits for the peer
     * @param token any number, for {@link ChannelHandler#onCompletion}
     * @return whether it was accepted
     * @throws IndexOutOfBoundsException if source or target is too small
     * @throws IllegalArgumentException if the source is of another pool or released, or the right is missing
     */
    Submission writeWithImmediate(
            RegisteredBuffer source,
            long sourceOffset,
            RemoteRegion target,
            long targetOffset,
            long length,
            int immediate,
            long token);

    /**
     * Reads from the peer's memory.
     *
     * @param source the peer's region
     * @param sourceOffset where the bytes begin
     * @param target registered memory of this channel's pool, undefined until the end
     * @param targetOffset where they go
     * @param length how many, 0 or more
     * @param token any number, for {@link ChannelHandler#onCompletion}
     * @return whether it was accepted
     * @throws IndexOutOfBoundsException if source or target is too small
     * @throws IllegalArgumentException if the target is of another pool or released, or the right is missing
     */
    Submission read(
            RemoteRegion source,
            long sourceOffset,
            RegisteredBuffer target,
            long targetOffset,
            long length,
            long token);

    /**
     * Replaces 8 bytes of the peer's memory if they have an expected value. Atomic with respect to other atomics of the
     * same transport. Never repeated: see {@link Outcome#UNKNOWN}.
     *
     * @param target the peer's region
     * @param targetOffset where the 8 bytes are; their address must be a multiple of 8
     * @param expected what must be there
     * @param replacement what is put there then
     * @param result registered memory of at least 8 bytes; what was there before, in native byte order, at the end
     * @param token any number, for {@link ChannelHandler#onCompletion}
     * @return whether it was accepted
     * @throws IllegalArgumentException if unaligned, the right is missing, or the result is of another pool
     */
    Submission compareAndSwap(
            RemoteRegion target,
            long targetOffset,
            long expected,
            long replacement,
            RegisteredBuffer result,
            long token);

    /**
     * Adds to 8 bytes of the peer's memory. Atomic with respect to other atomics of the same transport. Never repeated:
     * see {@link Outcome#UNKNOWN}.
     *
     * @param target the peer's region
     * @param targetOffset where the 8 bytes are; their address must be a multiple of 8
     * @param addend what is added; wraps around
     * @param result registered memory of at least 8 bytes; what was there before, in native byte order, at the end
     * @param token any number, for {@link ChannelHandler#onCompletion}
     * @return whether it was accepted
     * @throws IllegalArgumentException if unaligned, the right is missing, or the result is of another pool
     */
    Submission fetchAndAdd(RemoteRegion target, long targetOffset, long addend, RegisteredBuffer result, long token);

    /**
     * Does what there is to do on the poller of this channel, and returns at once: see {@link Poller#poll()}.
     *
     * @return how many events there were; 0 for none
     */
    int poll();

    /**
     * Does what there is to do, and waits for something in the way of the poller's completion mode if there is nothing.
     *
     * @param timeout how long at most
     * @return how many events there were; 0 at the time limit
     */
    int poll(Duration timeout);

    /**
     * Closes: accepts nothing new, delivers what was sent, for at most {@link ChannelConfig#lingerTimeout()}, then
     * frees everything. Operations that have not ended end with {@link Outcome#CANCELLED}. Idempotent; any thread; the
     * poller's thread polls in it, another thread waits for the poller.
     */
    @Override
    void close();
}

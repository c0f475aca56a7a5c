// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel;

import io.rdmachannel.channel.core.EventLoop;
import io.rdmachannel.mempool.PoolStats;
import java.time.Duration;
import java.util.Map;

/**
 * What drives channels: one thread that looks for events and tells the handlers. Many channels may share a poller, and
 * then share its memory and its completion queue.
 *
 * <p>A poller belongs to one thread for ever: the one that called {@link #create}, or the library's own of
 * {@link #start}. Lives until closed.
 */
public interface Poller extends AutoCloseable {
    /**
     * Makes a poller that the calling thread drives by {@link #poll()}.
     *
     * @param config how it works
     * @return the poller, which belongs to the calling thread
     */
    static Poller create(PollerConfig config) {
        return EventLoop.create(config);
    }

    /**
     * Makes a poller with a thread of its own.
     *
     * @param config how it works
     * @return the poller, which runs already
     */
    static Poller start(PollerConfig config) {
        return EventLoop.start(config);
    }

    /**
     * Gives the configuration. Any thread.
     *
     * @return as given
     */
    PollerConfig config();

    /**
     * Does what there is to do, and returns. Not within a handler.
     *
     * @return how many events there were; 0 for none
     * @throws WrongThreadException if called by another thread than the owner
     * @throws IllegalStateException if closed, or called within a handler
     */
    int poll();

    /**
     * Does what there is to do; if there is nothing, waits in the way of the completion mode. Not within a handler.
     *
     * @param timeout how long at most
     * @return how many events there were; 0 at the time limit, after {@link #wakeUp}, or when interrupted, which stays
     *     set
     * @throws WrongThreadException if called by another thread than the owner
     * @throws IllegalStateException if closed, or called within a handler
     */
    int poll(Duration timeout);

    /**
     * Has something done in the owner's thread. Any thread.
     *
     * @param action what to do; must not block; what it throws is logged
     * @throws IllegalStateException if closed
     */
    void execute(Runnable action);

    /** Ends a wait of {@link #poll(Duration)}, the present or the next one. Any thread. */
    void wakeUp();

    /**
     * Counts the channels that are not over.
     *
     * @return how many; any thread
     */
    int channelCount();

    /**
     * Gives the counts of the poller and of all channels that it has or had, as sums. Any thread, also after the end.
     *
     * @return always the same view
     */
    ChannelCounters counters();

    /**
     * Gives the numbers of the poller's pools of memory: one for TCP and one for each RDMA device, once a channel has
     * needed it. Any thread; waits while a device is being opened, and is otherwise as slow as
     * {@link io.rdmachannel.mempool.RegisteredMemoryPool#stats()}: for reports, not for a data path.
     *
     * @return by the pools' names; empty when closed
     */
    Map<String, PoolStats> pools();

    /**
     * Closes the channels without lingering, then the poller and its memory. Handshakes that go on for it are cut off,
     * and waited for, for two seconds at most; attempts to connect fail with CLOSED from then on. Idempotent; by the
     * owner, or by any thread when the poller has a thread of its own or its owner has ended.
     *
     * @throws io.rdmachannel.mempool.PoolInUseException if leases are out; the channels are closed, and close can be
     *     repeated
     * @throws ChannelException (BUSY) if a handshake over RDMA has not ended by then; likewise
     */
    @Override
    void close();
}

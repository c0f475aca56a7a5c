// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.QueueCalls;
import io.rdmachannel.ffi.generated.ibverbs.ibv_srq_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibv_srq_init_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibverbs_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Receives that several queue pairs take from ({@code ibv_create_srq(3)}), so that many idle connections need few
 * buffers.
 *
 * <p>Closing it closes the queue pairs attached to it first. {@link ThreadSharing} of its configuration says which
 * threads may post and close. No call blocks.
 */
public final class SharedReceiveQueue implements AutoCloseable {
    private final ProtectionDomain domain;
    private final MemorySegment handle;
    private final long address;
    private final int maxRequests;
    private final int maxScatterGather;
    private final MemorySegment postFunction;
    private final Lifetime lifetime;

    SharedReceiveQueue(ProtectionDomain domain, SharedReceiveQueueConfig config) {
        this.domain = domain;
        this.postFunction = domain.context().ops().postSharedReceive();
        domain.lifetime().acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment initial = ibv_srq_init_attr.allocate(arena);
            MemorySegment attributes = ibv_srq_init_attr.attr(initial);
            ibv_srq_attr.max_wr(attributes, config.maxRequests());
            ibv_srq_attr.max_sge(attributes, config.maxScatterGather());
            this.handle = create(config, initial);
            this.address = handle.address();
            this.maxRequests = ibv_srq_attr.max_wr(attributes);
            this.maxScatterGather = ibv_srq_attr.max_sge(attributes);
            domain.context().asyncEvents().register(address, this);
            this.lifetime = Lifetime.of(
                            "shared receive queue of "
                                    + domain.context().device().name(),
                            CloseOrder.SHARED_RECEIVE_QUEUE)
                    .childOf(domain.lifetime())
                    .ownedBy(config.sharing().owner())
                    .destroyedBy(this::destroy)
                    .begin();
        } finally {
            domain.lifetime().release();
        }
    }

    /**
     * Posts receive work requests in their order, as one chain ({@code ibv_post_srq_recv(3)}). Part of the data path.
     *
     * @param requests the row that holds them
     * @param first the first slot
     * @param count how many, at least 1
     * @return {@link PostResult#POSTED}, or an errno value such as {@link PostResult#QUEUE_FULL}; then
     *     {@link ReceiveWorkRequests#firstRejected()} says which one was not posted, and those before it were
     * @throws IndexOutOfBoundsException if the row has no such slots
     * @throws IllegalArgumentException if a request needs more elements than were granted; nothing is posted then
     * @throws IllegalStateException if closed
     * @throws WrongThreadException if confined to another thread
     */
    public int postReceive(ReceiveWorkRequests requests, int first, int count) {
        lifetime.enter();
        try {
            return ReceivePosting.post(postFunction, address, requests, first, count, maxScatterGather);
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Asks for one asynchronous event when fewer receives than the limit are left ({@code ibv_modify_srq(3)}).
     *
     * @param limit how many, from 0 to {@link #maxRequests()}; 0 takes the request back
     * @throws IllegalArgumentException if out of range
     * @throws VerbsException if the device refuses
     * @throws IllegalStateException if closed
     * @throws WrongThreadException if confined to another thread
     */
    public void armLimit(int limit) {
        Ranges.require("limit", limit, 0, maxRequests);
        lifetime.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_srq_attr.allocate(arena);
            ibv_srq_attr.srq_limit(attributes, limit);
            Results.check(
                    "ibv_modify_srq",
                    QueueCalls.ibv_modify_srq(handle, attributes, ibverbs_constants.IBV_SRQ_LIMIT()),
                    "an event below " + limit + " receives of " + lifetime,
                    "");
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Says which limit is armed now ({@code ibv_query_srq(3)}).
     *
     * @return the limit; 0 when none is armed
     * @throws VerbsException if the query fails
     * @throws IllegalStateException if closed
     */
    public int armedLimit() {
        lifetime.acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_srq_attr.allocate(arena);
            Results.check(
                    "ibv_query_srq",
                    QueueCalls.ibv_query_srq(handle, attributes),
                    "asking " + lifetime + " for its attributes",
                    "");
            return ibv_srq_attr.srq_limit(attributes);
        } finally {
            lifetime.release();
        }
    }

    /**
     * Gives the granted size.
     *
     * @return how many receives fit
     */
    public int maxRequests() {
        return maxRequests;
    }

    /**
     * Gives the granted number of elements.
     *
     * @return how many pieces of memory a receive can name
     */
    public int maxScatterGather() {
        return maxScatterGather;
    }

    /**
     * Gives the domain that the queue was made in.
     *
     * @return the domain
     */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /**
     * Gives a confined queue to another thread; see {@link ThreadSharing#CONFINED}.
     *
     * @param newOwner the thread that may use it from now on
     * @throws WrongThreadException if the caller is not the owner
     * @throws IllegalStateException if closed or shared
     */
    public void handOver(Thread newOwner) {
        lifetime.handOver(newOwner);
    }

    /**
     * Closes the queue pairs attached, then the queue. Idempotent.
     *
     * @throws WrongThreadException if this or a queue pair attached is confined to another living thread
     * @throws VerbsException if the device refuses; close can be repeated
     */
    @Override
    public void close() {
        lifetime.close();
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }

    MemorySegment handle() {
        return handle;
    }

    Lifetime lifetime() {
        return lifetime;
    }

    private MemorySegment create(SharedReceiveQueueConfig config, MemorySegment initial) {
        MemorySegment pointer = QueueCalls.ibv_create_srq(domain.handle(), initial);
        return Results.checkPointer(
                "ibv_create_srq",
                pointer,
                "a shared receive queue for " + config.maxRequests() + " receives of " + config.maxScatterGather()
                        + " elements on " + domain.context().device().name(),
                pointer.address() == 0 ? limits() : "");
    }

    private String limits() {
        DeviceAttributes.QueueLimits limits = domain.context().attributes().queueLimits();
        return "The device allows " + limits.maxSharedReceiveRequests() + " receives of "
                + limits.maxSharedReceiveScatterGather() + " elements a queue.";
    }

    private void destroy() {
        domain.context()
                .checkDestroyed(
                        "ibv_destroy_srq",
                        QueueCalls.ibv_destroy_srq(handle),
                        lifetime,
                        "EBUSY: a queue pair that was made outside this library still uses it.");
        domain.context().asyncEvents().unregister(address, this);
    }
}

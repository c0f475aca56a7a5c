// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.ffi.CloseOrder;
import io.rdmachannel.ffi.DataPath;
import io.rdmachannel.ffi.Lifetime;
import io.rdmachannel.ffi.MemoryCalls;
import io.rdmachannel.ffi.Pointers;
import io.rdmachannel.ffi.QueueCalls;
import io.rdmachannel.ffi.generated.ibverbs.ibv_mw_bind;
import io.rdmachannel.ffi.generated.ibverbs.ibv_qp;
import io.rdmachannel.ffi.generated.ibverbs.ibv_qp_attr;
import io.rdmachannel.ffi.generated.ibverbs.ibv_qp_init_attr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A queue pair ({@code ibv_create_qp(3)}): a send queue and a receive queue of one connection, or of a datagram
 * endpoint. One class for all services; {@link #type()} says which.
 *
 * <p>Made in state RESET and moved by {@link #modify}. Post receives before READY_TO_RECEIVE, so that the peer finds
 * them. Lives until it, its domain or one of its completion queues is closed. Work that is on it when it closes is
 * dropped without a completion: to get every completion, move it to ERROR and poll until all are there, then close.
 *
 * <p>{@link ThreadSharing} of its configuration says which threads may post, change and close it. {@link #modify} may
 * block while a neighbour is resolved; posting never blocks and allocates nothing.
 */
public final class QueuePair implements AutoCloseable {
    /** Every attribute that {@code ibv_query_qp} can fill. */
    private static final int QUERY_MASK = -1 >>> 7;

    private final ProtectionDomain domain;
    private final QueuePairType type;
    private final SharedReceiveQueue sharedReceives;
    private final QueuePairCapabilities capabilities;
    private final MemorySegment handle;
    private final long address;
    private final int number;
    private final MemorySegment sendFunction;
    private final MemorySegment receiveFunction;
    private final SendPostCheck sendCheck;
    private final Lifetime lifetime;

    QueuePair(ProtectionDomain domain, QueuePairConfig config) {
        this.domain = domain;
        this.type = config.type();
        this.sharedReceives = config.sharedReceives();
        this.sendFunction = domain.context().ops().postSend();
        this.receiveFunction = domain.context().ops().postReceive();
        try (Held held = Held.of(domain, config);
                Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = initialAttributes(config, arena);
            MemorySegment pointer = QueueCalls.ibv_create_qp(domain.handle(), attributes);
            this.handle = Pointers.view(
                    Results.checkPointer(
                            "ibv_create_qp",
                            pointer,
                            asked(config),
                            Pointers.isNull(pointer) ? QueuePairLimits.explain(domain.context(), config) : ""),
                    ibv_qp.sizeof());
            this.address = handle.address();
            this.number = ibv_qp.qp_num(handle);
            this.capabilities = QueuePairCapabilities.from(ibv_qp_init_attr.cap(attributes));
            this.sendCheck = new SendPostCheck(type, capabilities);
            this.lifetime = begin(held, config);
        }
    }

    /**
     * Posts one send work request.
     *
     * @param requests the row that holds it
     * @param slot which of the row
     * @return as {@link #postSend(SendWorkRequests, int, int)}
     */
    public int postSend(SendWorkRequests requests, int slot) {
        return postSend(requests, slot, 1);
    }

    /**
     * Posts send work requests in their order, as one chain ({@code ibv_post_send(3)}). Part of the data path.
     *
     * @param requests the row that holds them
     * @param first the first slot
     * @param count how many, at least 1
     * @return {@link PostResult#POSTED}, or an errno value such as {@link PostResult#QUEUE_FULL}; then
     *     {@link SendWorkRequests#firstRejected()} says which one was not posted, and those before it were
     * @throws IndexOutOfBoundsException if the row has no such slots
     * @throws IllegalArgumentException if a request needs more elements or inline bytes than were granted, or lacks its
     *     destination or binding; nothing is posted then
     * @throws IllegalStateException if this, or a handle that a request names, is closed
     * @throws WrongThreadException if this is confined to another thread, or the row belongs to one
     */
    public int postSend(SendWorkRequests requests, int first, int count) {
        lifetime.enter();
        try {
            int result = sendCheck.require(requests, first, count)
                    ? postHoldingHandles(requests, first, count)
                    : postChain(requests, first, count);
            requests.rejected(result == 0 ? -1 : requests.memory().badSlot(first));
            return result;
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Posts one receive work request.
     *
     * @param requests the row that holds it
     * @param slot which of the row
     * @return as {@link #postReceive(ReceiveWorkRequests, int, int)}
     */
    public int postReceive(ReceiveWorkRequests requests, int slot) {
        return postReceive(requests, slot, 1);
    }

    /**
     * Posts receive work requests in their order, as one chain ({@code ibv_post_recv(3)}). Part of the data path.
     *
     * @param requests the row that holds them
     * @param first the first slot
     * @param count how many, at least 1
     * @return {@link PostResult#POSTED}, or an errno value such as {@link PostResult#QUEUE_FULL}; then
     *     {@link ReceiveWorkRequests#firstRejected()} says which one was not posted, and those before it were
     * @throws IndexOutOfBoundsException if the row has no such slots
     * @throws IllegalArgumentException if a request needs more elements than were granted; nothing is posted then
     * @throws IllegalStateException if closed, or if receives come from a shared receive queue
     * @throws WrongThreadException if this is confined to another thread, or the row belongs to one
     */
    public int postReceive(ReceiveWorkRequests requests, int first, int count) {
        if (sharedReceives != null) {
            throw new IllegalStateException(
                    lifetime + " takes its receives from a shared receive queue: post them there");
        }
        lifetime.enter();
        try {
            return ReceivePosting.post(
                    receiveFunction, address, requests, first, count, capabilities.maxReceiveScatterGather());
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Moves the queue pair to another state, or changes attributes ({@code ibv_modify_qp(3)}). The kernel is asked
     * first; when it refuses, {@link QueuePairTransitions} says which attribute was missing or wrong.
     *
     * @param change what to change
     * @throws VerbsException if refused
     * @throws IllegalStateException if closed
     * @throws WrongThreadException if confined to another thread
     */
    public void modify(QueuePairChange change) {
        Objects.requireNonNull(change, "change");
        lifetime.enter();
        try {
            int result = QueueCalls.ibv_modify_qp(handle, change.attributes(), change.mask());
            if (result != 0) {
                throw refused(change, Math.abs(result));
            }
            Reference.reachabilityFence(change);
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Moves to ERROR: all work that is posted ends with a flush error, and nothing more is sent or received.
     *
     * @throws VerbsException if refused
     * @throws IllegalStateException if closed
     * @throws WrongThreadException if confined to another thread
     */
    public void moveToError() {
        modify(QueuePairChange.to(QueuePairState.ERROR));
    }

    /**
     * Binds a memory window of type 1 ({@code ibv_bind_mw(3)}), in the order of the send queue; the window's key is
     * new then.
     *
     * @param binding window, region, range and rights; length 0 takes the window back
     * @param workRequestId any 64 bits, which the completion will carry
     * @param signaled whether a completion is wanted on success
     * @return as {@link #postSend(SendWorkRequests, int, int)}
     * @throws IllegalArgumentException if the window is of type 2
     * @throws IllegalStateException if this, the window or the region is closed
     * @throws WrongThreadException if confined to another thread
     */
    public int bind(WindowBinding binding, long workRequestId, boolean signaled) {
        binding.requireType(MemoryWindowType.TYPE_1);
        lifetime.enter();
        try {
            binding.acquire();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bind = ibv_mw_bind.allocate(arena);
                ibv_mw_bind.wr_id(bind, workRequestId);
                ibv_mw_bind.send_flags(bind, signaled ? SendFlag.SIGNALED.bit() : 0);
                binding.writeTo(ibv_mw_bind.bind_info(bind));
                MemorySegment window = binding.window().handle();
                return Math.abs(MemoryCalls.ibv_bind_mw(domain.context().ops(), handle, window, bind));
            } finally {
                binding.release();
            }
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Asks the device for the state and attributes ({@code ibv_query_qp(3)}).
     *
     * @return what it reports now
     * @throws VerbsException if the query fails
     * @throws IllegalStateException if closed
     */
    public QueuePairAttributes query() {
        lifetime.acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(arena);
            MemorySegment initial = ibv_qp_init_attr.allocate(arena);
            Results.check(
                    "ibv_query_qp",
                    QueueCalls.ibv_query_qp(handle, attributes, QUERY_MASK, initial),
                    "asking " + lifetime + " for its attributes",
                    "");
            return QueuePairAttributes.from(attributes, initial);
        } finally {
            lifetime.release();
        }
    }

    /**
     * Gives the number by which peers know the queue pair.
     *
     * @return 24 bits
     */
    public int number() {
        return number;
    }

    /**
     * Says which service it has.
     *
     * @return its type
     */
    public QueuePairType type() {
        return type;
    }

    /**
     * Gives the granted sizes, which may be more than was asked for.
     *
     * @return the sizes
     */
    public QueuePairCapabilities capabilities() {
        return capabilities;
    }

    /**
     * Gives the domain that the queue pair was made in.
     *
     * @return the domain
     */
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /**
     * Gives a confined queue pair to another thread; see {@link ThreadSharing#CONFINED}.
     *
     * @param newOwner the thread that may use it from now on
     * @throws WrongThreadException if the caller is not the owner
     * @throws IllegalStateException if closed or shared
     */
    public void handOver(Thread newOwner) {
        lifetime.handOver(newOwner);
    }

    /**
     * Closes the windows of type 2 that it bound, then destroys the queue pair; outstanding work is dropped without
     * completions. Idempotent.
     *
     * @throws WrongThreadException if confined to another living thread
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

    private MemorySegment initialAttributes(QueuePairConfig config, Arena arena) {
        MemorySegment attributes = ibv_qp_init_attr.allocate(arena);
        ibv_qp_init_attr.send_cq(attributes, config.sendCompletions().handle());
        ibv_qp_init_attr.recv_cq(attributes, config.receiveCompletions().handle());
        if (sharedReceives != null) {
            ibv_qp_init_attr.srq(attributes, sharedReceives.handle());
        }
        config.capabilities().writeTo(ibv_qp_init_attr.cap(attributes));
        ibv_qp_init_attr.qp_type(attributes, type.raw());
        ibv_qp_init_attr.sq_sig_all(attributes, config.signalAll() ? 1 : 0);
        return attributes;
    }

    private String asked(QueuePairConfig config) {
        return "a queue pair of " + config.type() + " with " + config.capabilities() + " on "
                + domain.context().device().name();
    }

    private Lifetime begin(Held held, QueuePairConfig config) {
        domain.context().asyncEvents().register(address, this);
        Lifetime.Builder builder = Lifetime.of(
                "queue pair " + number + " of " + domain.context().device().name(), CloseOrder.QUEUE_PAIR);
        held.lifetimes().forEach(builder::childOf);
        return builder.ownedBy(config.sharing().owner())
                .destroyedBy(this::destroy)
                .begin();
    }

    private int postChain(SendWorkRequests requests, int first, int count) {
        WorkRequestMemory memory = requests.memory();
        int last = first + count - 1;
        memory.cutAfter(last);
        int result = DataPath.post(sendFunction, address, memory.address(first), memory.badPointerAddress());
        memory.restoreAfter(last);
        Reference.reachabilityFence(requests);
        return Math.abs(result);
    }

    private int postHoldingHandles(SendWorkRequests requests, int first, int count) {
        int held = first;
        try {
            while (held < first + count) {
                requests.acquireHandles(held, type);
                WindowBinding binding = requests.binding(held);
                held++;
                if (binding != null) {
                    binding.window().boundBy(lifetime);
                }
            }
            return postChain(requests, first, count);
        } finally {
            for (int slot = first; slot < held; slot++) {
                requests.releaseHandles(slot);
            }
        }
    }

    private VerbsException refused(QueuePairChange change, int errno) {
        return new VerbsException(
                "ibv_modify_qp",
                errno,
                "moving " + lifetime + " to " + change,
                QueuePairRefusal.explain(this, change, errno));
    }

    private void destroy() {
        domain.context()
                .checkDestroyed(
                        "ibv_destroy_qp",
                        QueueCalls.ibv_destroy_qp(handle),
                        lifetime,
                        "EBUSY: a multicast group is still attached to it.");
        domain.context().asyncEvents().unregister(address, this);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import io.rdmachannel.cm.ConnectionEvent;
import io.rdmachannel.cm.ConnectionEventType;
import io.rdmachannel.cm.ConnectionId;
import io.rdmachannel.cm.ConnectionParameters;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.CompletionChannel;
import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.CompletionQueueConfig;
import io.rdmachannel.verbs.DeviceContext;
import io.rdmachannel.verbs.MemoryRegion;
import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.QueuePairCapabilities;
import io.rdmachannel.verbs.QueuePairConfig;
import io.rdmachannel.verbs.QueuePairState;
import io.rdmachannel.verbs.QueuePairType;
import io.rdmachannel.verbs.ReceiveWorkRequests;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.VerbsException;
import io.rdmachannel.verbs.WorkCompletionOpcode;
import io.rdmachannel.verbs.WorkCompletions;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One end of a reliable connection with its queue pair, and a completion queue for each direction, since completions of
 * sends and of receives have no order between them. It is on whichever device the connection manager chose. Closing it
 * ends the connection and closes the device with all that was made in it.
 */
final class Connection implements AutoCloseable {
    private static final int QUEUE_DEPTH = 16;

    /** 0.64 ms, in place of the longest delay, which the connection manager asks for. */
    private static final int MIN_RNR_TIMER = 12;

    /** How long the end of the connection may go unnoticed. */
    private static final long DISCONNECT_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ConnectionEvents events;
    private final ConnectionId id;
    private final DeviceContext context;
    private final ProtectionDomain domain;
    private final CompletionChannel completionChannel;
    private final CompletionQueue sendCompletions;
    private final CompletionQueue receiveCompletions;
    private final QueuePair queuePair;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(1);
    private boolean connected;

    Connection(ConnectionEvents events, ConnectionId id) {
        this.events = events;
        this.id = id;
        this.context = id.device()
                .orElseThrow(() -> new ExampleException("the connection's device has gone"))
                .open();
        try {
            this.domain = context.allocateProtectionDomain();
            this.completionChannel = context.createCompletionChannel();
            CompletionQueueConfig config =
                    CompletionQueueConfig.ofCapacity(QUEUE_DEPTH).on(completionChannel);
            this.sendCompletions = context.createCompletionQueue(config);
            this.receiveCompletions = context.createCompletionQueue(config);
            this.queuePair = createQueuePair();
        } catch (RuntimeException failure) {
            context.close();
            throw failure;
        }
    }

    /** Registers new memory, which lives as long as the region. */
    MemoryRegion allocate(long bytes, Set<AccessFlag> access) {
        return domain.registerMemory(Arena.ofAuto().allocate(bytes, Long.BYTES), access);
    }

    /** Connects as client; receives must have been posted. */
    void connect() {
        id.connect(ConnectionParameters.ofQueuePair(queuePair.number()));
        events.await(ConnectionEventType.CONNECT_RESPONSE);
        makeReady();
        id.establish();
        connected = true;
    }

    /** Accepts as server; receives must have been posted. */
    void accept(ConnectionEvent request) {
        makeReady();
        ConnectionParameters peer = request.parameters().orElseThrow();
        id.accept(ConnectionParameters.ofQueuePair(queuePair.number())
                .withOutstandingReads(peer.responderResources(), peer.initiatorDepth()));
        events.await(ConnectionEventType.ESTABLISHED);
        connected = true;
    }

    void post(ReceiveWorkRequests receives) {
        requirePosted(queuePair.postReceive(receives, 0));
    }

    void post(SendWorkRequests sends) {
        requirePosted(queuePair.postSend(sends, 0));
    }

    /** Waits for a completion of one kind; any other is a failure. Returns the length of what was received. */
    long await(WorkCompletionOpcode expected) {
        if (!awaitUnlessDisconnected(expected)) {
            throw new ExampleException("the peer disconnected before " + expected + " was complete");
        }
        return expected == WorkCompletionOpcode.RECEIVE ? completions.byteLength(0) : 0;
    }

    /** As {@link #await}, but false when the peer disconnects instead. */
    boolean awaitUnlessDisconnected(WorkCompletionOpcode expected) {
        CompletionQueue queue = expected == WorkCompletionOpcode.RECEIVE ? receiveCompletions : sendCompletions;
        Deadline deadline = Deadline.in(events.limit());
        while (!deadline.isOver()) {
            if (takeCompletion(queue)) {
                return requireCompleted(expected);
            }
            if (connected && events.hasDisconnected()) {
                connected = false;
                return takeCompletion(queue) && requireCompleted(expected);
            }
            completionChannel.await(Math.min(DISCONNECT_CHECK_NANOS, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
        }
        throw new ExampleException(
                expected + " was not complete within " + events.limit().toSeconds() + " s");
    }

    /** Ends the connection, and waits until the peer has, too. */
    void disconnect() {
        id.disconnect();
        if (connected) {
            events.await(ConnectionEventType.DISCONNECTED);
            connected = false;
        }
        queuePair.moveToError();
    }

    @Override
    public void close() {
        try (context) {
            id.close();
        }
    }

    private QueuePair createQueuePair() {
        QueuePairCapabilities capabilities = new QueuePairCapabilities(QUEUE_DEPTH, QUEUE_DEPTH, 1, 1, 0);
        QueuePair created = domain.createQueuePair(
                QueuePairConfig.of(QueuePairType.RELIABLE_CONNECTION, sendCompletions, capabilities)
                        .receivingOn(receiveCompletions));
        created.modify(id.queuePairChange(QueuePairState.INIT)
                .access(EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)));
        return created;
    }

    private void makeReady() {
        queuePair.modify(id.queuePairChange(QueuePairState.READY_TO_RECEIVE).minRnrTimer(MIN_RNR_TIMER));
        queuePair.modify(id.queuePairChange(QueuePairState.READY_TO_SEND));
    }

    /** A notification is asked for before the second look, so that no completion slips in between unnoticed. */
    private boolean takeCompletion(CompletionQueue queue) {
        if (queue.poll(completions) == 0) {
            queue.requestNotification(false);
            return queue.poll(completions) > 0;
        }
        return true;
    }

    private boolean requireCompleted(WorkCompletionOpcode expected) {
        if (!completions.isSuccess(0)) {
            throw new ExampleException(expected + " failed with " + completions.status(0));
        }
        if (completions.opcode(0) != expected) {
            throw new ExampleException(expected + " was expected, and " + completions.opcode(0) + " was complete");
        }
        return true;
    }

    private static void requirePosted(int result) {
        if (result != PostResult.POSTED) {
            throw new VerbsException("ibv_post_send", result, "posting work", PostResult.describe(result));
        }
    }
}

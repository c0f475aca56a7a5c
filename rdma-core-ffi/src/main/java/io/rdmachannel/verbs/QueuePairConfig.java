// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import java.util.Objects;

/**
 * How a queue pair is made. A plain value.
 *
 * @param type its service
 * @param sendCompletions where sent work is told
 * @param receiveCompletions where received messages are told; may be the same queue
 * @param sharedReceives where receives are taken from, or null for a receive queue of its own
 * @param capabilities the sizes asked for; more may be granted
 * @param signalAll true to have every send told, whatever its request says
 * @param sharing who may use it
 */
public record QueuePairConfig(
        QueuePairType type,
        CompletionQueue sendCompletions,
        CompletionQueue receiveCompletions,
        SharedReceiveQueue sharedReceives,
        QueuePairCapabilities capabilities,
        boolean signalAll,
        ThreadSharing sharing) {
    /** Checks that nothing that is needed is missing. */
    public QueuePairConfig {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(sendCompletions, "sendCompletions");
        Objects.requireNonNull(receiveCompletions, "receiveCompletions");
        Objects.requireNonNull(capabilities, "capabilities");
        Objects.requireNonNull(sharing, "sharing");
    }

    /**
     * A queue pair for any thread, with a receive queue of its own and one completion queue.
     *
     * @param type its service
     * @param completions where sent and received work is told
     * @param capabilities the sizes asked for
     * @return the configuration
     */
    public static QueuePairConfig of(
            QueuePairType type, CompletionQueue completions, QueuePairCapabilities capabilities) {
        return new QueuePairConfig(type, completions, completions, null, capabilities, false, ThreadSharing.SHARED);
    }

    /**
     * The same with receives told on another completion queue.
     *
     * @param queue where received messages are told
     * @return a changed copy
     */
    public QueuePairConfig receivingOn(CompletionQueue queue) {
        return new QueuePairConfig(type, sendCompletions, queue, sharedReceives, capabilities, signalAll, sharing);
    }

    /**
     * The same with receives from a shared queue.
     *
     * @param queue the shared receive queue
     * @return a changed copy
     */
    public QueuePairConfig takingReceivesFrom(SharedReceiveQueue queue) {
        return new QueuePairConfig(type, sendCompletions, receiveCompletions, queue, capabilities, signalAll, sharing);
    }

    /**
     * The same with every send told.
     *
     * @return a changed copy
     */
    public QueuePairConfig signalingAll() {
        return new QueuePairConfig(
                type, sendCompletions, receiveCompletions, sharedReceives, capabilities, true, sharing);
    }

    /**
     * The same for other threads.
     *
     * @param newSharing who may use it
     * @return a changed copy
     */
    public QueuePairConfig sharedAs(ThreadSharing newSharing) {
        return new QueuePairConfig(
                type, sendCompletions, receiveCompletions, sharedReceives, capabilities, signalAll, newSharing);
    }
}

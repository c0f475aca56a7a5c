// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.verbs;

import io.rdmachannel.testing.ConnectedPair;

/** A connection whose two sides report to two armed completion queues of one channel. */
record ConnectedQueues(CompletionQueue first, CompletionQueue second, QueuePair sender, QueuePair receiver)
        implements AutoCloseable {
    static ConnectedQueues on(ConnectedPair pair, CompletionChannel channel) {
        CompletionQueueConfig config = CompletionQueueConfig.ofCapacity(64).on(channel);
        CompletionQueue first = pair.context().createCompletionQueue(config);
        CompletionQueue second = pair.context().createCompletionQueue(config);
        QueuePair sender = queuePair(pair, first);
        QueuePair receiver = queuePair(pair, second);
        pair.connect(sender, receiver.number());
        pair.connect(receiver, sender.number());
        first.requestNotification(false);
        second.requestNotification(false);
        return new ConnectedQueues(first, second, sender, receiver);
    }

    /** Lets one empty message through, which completes on both queues. */
    void sendOnBoth() {
        receiver.postReceive(ReceiveWorkRequests.allocate(1, 0).begin(0, 1), 0);
        sender.postSend(SendWorkRequests.allocate(1, 1, 0).begin(0, WorkRequestOpcode.SEND, 2, true), 0);
    }

    @Override
    public void close() {
        first.close();
        second.close();
    }

    private static QueuePair queuePair(ConnectedPair pair, CompletionQueue queue) {
        QueuePairCapabilities capabilities = new QueuePairCapabilities(8, 8, 1, 1, 0);
        return pair.domain()
                .createQueuePair(QueuePairConfig.of(QueuePairType.RELIABLE_CONNECTION, queue, capabilities));
    }
}

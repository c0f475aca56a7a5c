// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.core;

import io.rdmachannel.verbs.QueuePairChange;

/** A link that is being made of a queue pair: librdmacm can connect it, too. */
public interface QueuePairLink extends PendingLink {
    /**
     * Gives the number that the peer has to know.
     *
     * @return 24 bits
     */
    int queuePairNumber();

    /**
     * Connects by what was negotiated; frames can arrive from then on.
     *
     * @param toReceive the move to READY_TO_RECEIVE
     * @param toSend the move to READY_TO_SEND; timeouts and retries are the channel's
     * @throws io.rdmachannel.channel.ChannelException if the device refuses
     */
    void connect(QueuePairChange toReceive, QueuePairChange toSend);
}

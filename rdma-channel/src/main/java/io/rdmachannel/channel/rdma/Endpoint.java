// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.channel.rdma;

import io.rdmachannel.channel.ChannelConfig;
import io.rdmachannel.channel.ChannelException;
import io.rdmachannel.verbs.CompletionQueue;
import io.rdmachannel.verbs.ProtectionDomain;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.QueuePairCapabilities;
import io.rdmachannel.verbs.QueuePairConfig;
import io.rdmachannel.verbs.QueuePairType;
import io.rdmachannel.verbs.ThreadSharing;
import io.rdmachannel.verbs.VerbsException;

/**
 * A queue pair with its two rings. Belongs to the thread that made it, until it is handed over.
 *
 * @param queuePair the queue pair
 * @param sends its send side
 * @param ownReceives its receive side; null when it takes from a queue that others share
 * @param receives its receive side, or the one that others share, which is the owner's alone
 * @param tag what its work request ids carry
 */
record Endpoint(QueuePair queuePair, SendRing sends, ReceiveRing ownReceives, ReceiveSide receives, int tag) {
    /** What a channel sends besides its messages and operations: credits, acknowledgements, notices of regions. */
    private static final int CONTROL_POSTS = 16;

    /** The last request of a queue pair that is closed. */
    private static final int MARKERS = 1;

    /** How many completions one can have outstanding, but for receives from a queue that others share. */
    static int completions(ChannelConfig config, SharedReceiveRing shared) {
        int sends = config.sendDepth() + CONTROL_POSTS + MARKERS;
        return shared == null ? sends + config.receiveDepth() : sends;
    }

    /**
     * Makes a reliable connection in state RESET.
     *
     * @param shared where its receives come from; null for a queue of its own
     * @throws ChannelException if the device refuses
     */
    static Endpoint create(
            ProtectionDomain domain, CompletionQueue queue, SharedReceiveRing shared, ChannelConfig config, int tag) {
        QueuePair pair = queuePair(domain, queue, shared, config);
        try {
            int inlineBytes = Math.min(config.inlineBytes(), pair.capabilities().maxInlineBytes());
            SendRing sends = new SendRing(pair, config.sendDepth() + CONTROL_POSTS, inlineBytes, tag);
            ReceiveRing own = shared == null ? new ReceiveRing(pair, config.receiveDepth(), tag) : null;
            return new Endpoint(pair, sends, own, shared == null ? own : shared, tag);
        } catch (RuntimeException | Error failure) {
            pair.close();
            throw failure;
        }
    }

    void handOver(Thread owner) {
        sends.handOver(owner);
        if (ownReceives != null) {
            ownReceives.handOver(owner);
        }
        queuePair.handOver(owner);
    }

    @Override
    public String toString() {
        return "link on " + queuePair;
    }

    /** Devices have no query for the most inline bytes, so fewer are asked for until they grant it. */
    private static QueuePair queuePair(
            ProtectionDomain domain, CompletionQueue queue, SharedReceiveRing shared, ChannelConfig config) {
        int inlineBytes = config.inlineBytes();
        VerbsException first = null;
        while (true) {
            try {
                QueuePairConfig plain = QueuePairConfig.of(
                                QueuePairType.RELIABLE_CONNECTION, queue, capabilities(config, shared, inlineBytes))
                        .sharedAs(ThreadSharing.CONFINED);
                return domain.createQueuePair(shared == null ? plain : plain.takingReceivesFrom(shared.queue()));
            } catch (VerbsException refused) {
                first = first == null ? refused : first;
                if (inlineBytes == 0) {
                    throw new ChannelException(
                            ChannelException.Reason.UNAVAILABLE,
                            "the device refused a queue pair; lower sendDepth or receiveDepth: " + first.getMessage(),
                            first);
                }
                inlineBytes /= 2;
            }
        }
    }

    private static QueuePairCapabilities capabilities(ChannelConfig config, SharedReceiveRing shared, int inlineBytes) {
        int sends = config.sendDepth() + CONTROL_POSTS + MARKERS;
        int receives = shared == null ? config.receiveDepth() : 0;
        return new QueuePairCapabilities(sends, receives, 1, shared == null ? 1 : 0, inlineBytes);
    }
}

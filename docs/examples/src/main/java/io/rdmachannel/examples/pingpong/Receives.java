// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.pingpong;

import io.rdmachannel.verbs.PostResult;
import io.rdmachannel.verbs.QueuePair;
import io.rdmachannel.verbs.ReceiveWorkRequests;

/**
 * Keeps receives posted: never fewer than one when the other side may send. They name the two places of the buffers in
 * turn. Allocates nothing after its making.
 */
final class Receives {
    private final QueuePair pair;
    private final int depth;
    private final ReceiveWorkRequests requests = ReceiveWorkRequests.allocate(MessageBuffers.SLOTS, 1);
    private long posted;
    private long taken;

    Receives(Endpoint endpoint, int depth) {
        this.pair = endpoint.pair();
        this.depth = depth;
        MessageBuffers buffers = endpoint.buffers();
        for (int round = 0; round <= 1; round++) {
            int slot = MessageBuffers.incoming(round);
            requests.begin(slot, PingPongLoop.RECEIVE)
                    .add(slot, endpoint.region(), buffers.offset(slot), buffers.size());
        }
        refill();
    }

    /** Notes that a message has come; posts again when they run out, all at once, as C does. */
    void taken() {
        taken++;
        if (posted - taken <= 1) {
            refill();
        }
    }

    private void refill() {
        while (posted - taken < depth) {
            int result = pair.postReceive(requests, MessageBuffers.incoming(posted));
            if (result != PostResult.POSTED) {
                throw new PingPongException("a receive could not be posted: " + PostResult.describe(result));
            }
            posted++;
        }
    }
}

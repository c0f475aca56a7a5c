// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.MemoryRegion;
import io.rdmachannel.verbs.ReceiveWorkRequests;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.WorkCompletionOpcode;
import io.rdmachannel.verbs.WorkRequestOpcode;
import java.util.Set;

/** One message of 16 bytes each way, as {@code rdma_client} and {@code rdma_server} exchange it. */
final class MessageExchange {
    /** The port of rdma_server. */
    static final int PORT = 7471;

    private static final int BYTES = 16;

    private final Connection connection;
    private final MemoryRegion outgoing;
    private final MemoryRegion incoming;

    /** Posts the receive, so that the connection can be made then. */
    MessageExchange(Connection connection) {
        this.connection = connection;
        this.outgoing = connection.allocate(BYTES, Set.of(AccessFlag.LOCAL_WRITE));
        this.incoming = connection.allocate(BYTES, Set.of(AccessFlag.LOCAL_WRITE));
        ReceiveWorkRequests receives = ReceiveWorkRequests.allocate(1, 1);
        receives.begin(0, 0).add(0, incoming, 0, BYTES);
        connection.post(receives);
    }

    /** Sends the message. False when the peer had it, and left, before the acknowledgement was here. */
    boolean send() {
        SendWorkRequests sends = SendWorkRequests.allocate(1, 1, 0);
        sends.begin(0, WorkRequestOpcode.SEND, 0, true).add(0, outgoing, 0, BYTES);
        connection.post(sends);
        return connection.awaitUnlessDisconnected(WorkCompletionOpcode.SEND);
    }

    /** Waits for the peer's message. */
    void receive() {
        long length = connection.await(WorkCompletionOpcode.RECEIVE);
        if (length != BYTES) {
            throw new ExampleException("the peer sent " + length + " bytes in place of " + BYTES);
        }
    }

    /** Answers with what was received. */
    void echo() {
        outgoing.memory().copyFrom(incoming.memory());
        send();
    }

    /** Fills the message, so that an echo can be told from zeros. */
    void fill(byte value) {
        outgoing.memory().fill(value);
    }

    /** Says whether the message that came has the same bytes as the one that went, as this package's server does it. */
    boolean isEchoed() {
        return outgoing.memory().mismatch(incoming.memory()) < 0;
    }
}

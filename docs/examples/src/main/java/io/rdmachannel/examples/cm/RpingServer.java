// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import io.rdmachannel.cm.ConnectionEvent;
import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.MemoryRegion;
import io.rdmachannel.verbs.ReceiveWorkRequests;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.WorkCompletionOpcode;
import io.rdmachannel.verbs.WorkRequestOpcode;
import java.util.Set;

/** The side that is pinged, by one client: it reads the client's data, and writes it back. */
final class RpingServer implements Launcher.Program {
    private final RpingOptions options;
    private final SendWorkRequests sends = SendWorkRequests.allocate(1, 1, 0);
    private final ReceiveWorkRequests receives = ReceiveWorkRequests.allocate(1, 1);

    RpingServer(RpingOptions options) {
        this.options = options;
    }

    @Override
    public void run() {
        try (ConnectionEvents events = new ConnectionEvents(options.timeout())) {
            ConnectionEvent request = events.listenForOne(options.address());
            try (Connection connection = new Connection(events, request.id())) {
                MemoryRegion message = connection.allocate(Advertisement.BYTES, Set.of(AccessFlag.LOCAL_WRITE));
                receives.begin(0, 0).add(0, message, 0, Advertisement.BYTES);
                connection.post(receives);
                connection.accept(request);
                serve(connection, message);
                connection.disconnect();
            }
        }
    }

    private void serve(Connection connection, MemoryRegion message) {
        MemoryRegion data = connection.allocate(options.size(), Set.of(AccessFlag.LOCAL_WRITE));
        MemoryRegion goAhead = connection.allocate(Advertisement.BYTES, Set.of(AccessFlag.LOCAL_WRITE));
        while (connection.awaitUnlessDisconnected(WorkCompletionOpcode.RECEIVE)) {
            Advertisement source = takeAdvertisement(connection, message);
            transfer(connection, WorkRequestOpcode.RDMA_READ, data, source.length(), source);
            if (options.verbose()) {
                System.out.println("server ping data: " + PingData.text(data.memory(), source.length()));
            }
            if (!reply(connection, goAhead) || !connection.awaitUnlessDisconnected(WorkCompletionOpcode.RECEIVE)) {
                throw new ExampleException("the client disconnected in the middle of a ping");
            }
            Advertisement sink = takeAdvertisement(connection, message);
            int length = Math.min(sink.length(), PingData.textLength(data.memory(), source.length()));
            transfer(connection, WorkRequestOpcode.RDMA_WRITE, data, length, sink);
            if (!reply(connection, goAhead)) {
                return;
            }
        }
    }

    /** Reads the message before its buffer is posted again. */
    private Advertisement takeAdvertisement(Connection connection, MemoryRegion message) {
        Advertisement advertisement = Advertisement.read(message.memory());
        if (advertisement.length() < 0 || advertisement.length() > options.size()) {
            throw new ExampleException("the client offers " + Integer.toUnsignedString(advertisement.length())
                    + " bytes, and this server takes " + options.size() + " (option -S)");
        }
        connection.post(receives);
        return advertisement;
    }

    private void transfer(
            Connection connection, WorkRequestOpcode opcode, MemoryRegion data, int length, Advertisement peer) {
        sends.begin(0, opcode, 0, true).add(0, data, 0, length).remote(0, peer.address(), peer.remoteKey());
        connection.post(sends);
        connection.await(
                opcode == WorkRequestOpcode.RDMA_READ
                        ? WorkCompletionOpcode.RDMA_READ
                        : WorkCompletionOpcode.RDMA_WRITE);
    }

    /** The client may have the last reply, and leave, before the acknowledgement is here: then it is false. */
    private boolean reply(Connection connection, MemoryRegion goAhead) {
        sends.begin(0, WorkRequestOpcode.SEND, 0, true).add(0, goAhead, 0, Advertisement.BYTES);
        connection.post(sends);
        return connection.awaitUnlessDisconnected(WorkCompletionOpcode.SEND);
    }
}

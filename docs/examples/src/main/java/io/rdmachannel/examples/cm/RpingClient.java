// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.examples.cm;

import io.rdmachannel.verbs.AccessFlag;
import io.rdmachannel.verbs.MemoryRegion;
import io.rdmachannel.verbs.ReceiveWorkRequests;
import io.rdmachannel.verbs.SendWorkRequests;
import io.rdmachannel.verbs.WorkCompletionOpcode;
import io.rdmachannel.verbs.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/** The side that pings: it only sends messages, and its memory is read and written by the server. */
final class RpingClient implements Launcher.Program {
    private final RpingOptions options;
    private final SendWorkRequests sends = SendWorkRequests.allocate(1, 1, 0);
    private final ReceiveWorkRequests receives = ReceiveWorkRequests.allocate(1, 1);

    RpingClient(RpingOptions options) {
        this.options = options;
    }

    @Override
    public void run() {
        try (ConnectionEvents events = new ConnectionEvents(options.timeout());
                Connection connection = new Connection(events, events.resolve(options.address()))) {
            Set<AccessFlag> rights =
                    EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
            MemoryRegion source = connection.allocate(options.size(), rights);
            MemoryRegion sink = connection.allocate(options.size(), rights);
            MemoryRegion message = connection.allocate(Advertisement.BYTES, Set.of(AccessFlag.LOCAL_WRITE));
            MemoryRegion answer = connection.allocate(Advertisement.BYTES, Set.of(AccessFlag.LOCAL_WRITE));
            receives.begin(0, 0).add(0, answer, 0, Advertisement.BYTES);
            connection.post(receives);
            connection.connect();
            for (int ping = 0; options.count() == 0 || ping < options.count(); ping++) {
                PingData.fill(source.memory(), ping);
                advertise(connection, message, source);
                advertise(connection, message, sink);
                check(source.memory(), sink.memory(), ping);
            }
            connection.disconnect();
        }
    }

    /** Offers memory, and waits until the server says that it is done with it. */
    private void advertise(Connection connection, MemoryRegion message, MemoryRegion offered) {
        Advertisement.of(offered).write(message.memory());
        sends.begin(0, WorkRequestOpcode.SEND, 0, true).add(0, message, 0, Advertisement.BYTES);
        connection.post(sends);
        connection.await(WorkCompletionOpcode.SEND);
        long length = connection.await(WorkCompletionOpcode.RECEIVE);
        if (length != Advertisement.BYTES) {
            throw new ExampleException(
                    "the server answered with " + length + " bytes in place of " + Advertisement.BYTES);
        }
        connection.post(receives);
    }

    private void check(MemorySegment source, MemorySegment sink, int ping) {
        if (options.validate() && source.mismatch(sink) >= 0) {
            throw new ExampleException(
                    "ping " + ping + " came back changed from byte " + source.mismatch(sink) + " on");
        }
        if (options.verbose()) {
            System.out.println("ping data: " + PingData.text(sink, options.size()));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

/** A message to the server, and the one of the same length that comes back. */
final class SendLatency extends LatencyTest {
    private final DataLine line;
    private final int size;

    SendLatency(DataLine line, int size) {
        this.line = line;
        this.size = size;
    }

    @Override
    void exchange() {
        TrafficHandler peer = line.peer;
        long wanted = peer.messages + 1;
        line.send(size);
        while (peer.messages < wanted) {
            line.await();
        }
    }

    @Override
    void idle() {
        line.channel.poll();
    }
}

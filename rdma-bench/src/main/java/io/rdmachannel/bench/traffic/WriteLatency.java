// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

/** A write to the server's memory, and the one that comes back to this side's. */
final class WriteLatency extends LatencyTest {
    private final DataLine line;
    private final WritePingPong pingPong;

    WriteLatency(DataLine line, WritePingPong pingPong) {
        this.line = line;
        this.pingPong = pingPong;
    }

    @Override
    void exchange() {
        pingPong.write();
        pingPong.await();
    }

    @Override
    void idle() {
        line.channel.poll();
    }
}

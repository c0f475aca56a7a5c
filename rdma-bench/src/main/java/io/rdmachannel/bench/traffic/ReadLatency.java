// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.mempool.Lease;

/** A read of the server's memory. */
final class ReadLatency extends LatencyTest {
    private final DataLine line;
    private final RemoteRegion remote;
    private final Lease target;
    private final int size;

    ReadLatency(DataLine line, RemoteRegion remote, Lease target, int size) {
        this.line = line;
        this.remote = remote;
        this.target = target;
        this.size = size;
    }

    @Override
    void exchange() {
        TrafficHandler peer = line.peer;
        long wanted = peer.completions + 1;
        Submission answer = line.channel.read(remote, 0, target, 0, size, wanted);
        while (answer != Submission.ACCEPTED) {
            line.refused(answer);
            answer = line.channel.read(remote, 0, target, 0, size, wanted);
        }
        while (peer.completions < wanted) {
            line.await();
        }
    }

    @Override
    void idle() {
        line.channel.poll();
    }
}

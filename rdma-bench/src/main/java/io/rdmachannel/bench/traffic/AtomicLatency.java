// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.mempool.Lease;

/** A fetch-and-add of 1 in the server's memory. */
final class AtomicLatency extends LatencyTest {
    private final DataLine line;
    private final RemoteRegion remote;
    private final Lease result;

    AtomicLatency(DataLine line, RemoteRegion remote, Lease result) {
        this.line = line;
        this.remote = remote;
        this.result = result;
    }

    @Override
    void exchange() {
        TrafficHandler peer = line.peer;
        long wanted = peer.completions + 1;
        Submission answer = line.channel.fetchAndAdd(remote, 0, 1, result, wanted);
        while (answer != Submission.ACCEPTED) {
            line.refused(answer);
            answer = line.channel.fetchAndAdd(remote, 0, 1, result, wanted);
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

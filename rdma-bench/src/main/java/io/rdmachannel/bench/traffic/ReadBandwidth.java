// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.mempool.Lease;

/** Reads of the same place of the server's memory, all into the same buffer. */
final class ReadBandwidth extends BandwidthTest {
    private final DataLine line;
    private final RemoteRegion remote;
    private final Lease target;
    private final int size;

    ReadBandwidth(DataLine line, RemoteRegion remote, Lease target, int size, int depth) {
        super(line, depth);
        this.line = line;
        this.remote = remote;
        this.target = target;
        this.size = size;
    }

    @Override
    Submission post(long token) {
        return line.channel.read(remote, 0, target, 0, size, token);
    }
}

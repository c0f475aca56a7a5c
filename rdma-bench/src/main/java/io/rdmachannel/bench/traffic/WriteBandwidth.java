// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.channel.RemoteRegion;
import io.rdmachannel.channel.Submission;
import io.rdmachannel.mempool.Lease;

/** Writes of the same bytes to the same place of the server's memory. */
final class WriteBandwidth extends BandwidthTest {
    private final DataLine line;
    private final RemoteRegion remote;
    private final Lease source;
    private final int size;

    WriteBandwidth(DataLine line, RemoteRegion remote, Lease source, int size, int depth) {
        super(line, depth);
        this.line = line;
        this.remote = remote;
        this.source = source;
        this.size = size;
    }

    @Override
    Submission post(long token) {
        return line.channel.write(source, 0, remote, 0, size, token);
    }
}

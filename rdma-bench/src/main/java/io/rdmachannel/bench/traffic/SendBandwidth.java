// SPDX-License-Identifier: Apache-2.0
package io.rdmachannel.bench.traffic;

import io.rdmachannel.channel.OutgoingMessage;
import io.rdmachannel.channel.Submission;

/** Messages to the server. One has ended when the server's handler has had it, which is later than perftest's end. */
final class SendBandwidth extends BandwidthTest {
    private final DataLine line;
    private final int size;
    private OutgoingMessage claimed;

    SendBandwidth(DataLine line, int size, int depth) {
        super(line, depth);
        this.line = line;
        this.size = size;
    }

    @Override
    Submission post(long token) {
        if (claimed == null) {
            claimed = line.channel.claim(size);
        }
        if (claimed == null) {
            return Submission.POOL_EXHAUSTED;
        }
        Submission answer = claimed.commit(size, token);
        if (answer == Submission.ACCEPTED) {
            claimed = null;
        }
        return answer;
    }
}
